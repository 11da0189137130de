"""Reports as text, SVG and HTML. Renderers take plain dicts and compute nothing of the model."""
