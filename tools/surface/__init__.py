"""The public Python surface under hostile arguments: rules that take a random.Random.

`recipes` and `running` call every public name, `hostile` has what nobody should pass, `session` holds each call
to what is promised; run.py drives them for long, tests/robust/test_surface.py for seconds.
"""
