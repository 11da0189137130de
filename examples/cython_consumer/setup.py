"""The headers and the declarations come with the installed warpsim; nothing is linked."""

from Cython.Build import cythonize
from setuptools import Extension, setup

from warpsim.paths import includes

extension = Extension("bank_conflicts", ["bank_conflicts.pyx"], include_dirs=[str(includes())])
setup(ext_modules=cythonize([extension]))
