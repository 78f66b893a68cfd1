"""What all tests share."""

import gc

from jourdain.driver import first

# Graphs are full of cycles and live for one test: collecting them less often saves a fifth of the time.
gc.set_threshold(200_000, 20, 20)

# What is asked once is to test the code, too; `driver/test_first.py` tests the answers that there are before it.
first.PATIENCE = 0
