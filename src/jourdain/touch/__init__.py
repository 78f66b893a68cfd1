"""The mechanism under a person's hand: a real-time loop outside Python's lock, couplers, guards, devices, passivity."""
