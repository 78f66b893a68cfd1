"""`python -m jourdain` is `jourdain`."""

import sys

from .cli import main

sys.exit(main())
