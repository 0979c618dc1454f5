"""Settings for all tests: nothing depends on wall time, and every run tries the same cases."""

from hypothesis import settings

settings.register_profile("mournival", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("mournival")
