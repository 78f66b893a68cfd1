"""The energy that hands put into what they touch: watched always, and by choice kept from coming back with interest.

B. Hannaford and J.-H. Ryu, Time-domain passivity control of haptic interfaces, IEEE Transactions on Robotics and
Automation 18 (2002): a force that is held between two samples does exactly the work force times way, so nothing has to
be known of the mechanism.
"""

from __future__ import annotations

from ..program import Floats, kernel
from .hands import MOTION, OMEGA, PLACE, PUSH
from .ticking import TIMING

PERIOD = TIMING.index("period")
# Of a hand: energy put in [J], its least value, what damping that was added has taken out; whether a sample came
# before; the place at that sample.
PUT_IN, LEAST, TAKEN_OUT, SEEN, BEFORE = 0, 1, 2, 3, 4
LEDGER = 7


@kernel
def observe(
    told: Floats, devices: Floats, shown: Floats, wanted: Floats, ledger: Floats, controls: int, most: float, hands: int
) -> None:
    """shown (6 hands): what was held since the sample before. Where more has come out than was put in, and `controls`
    is not 0, the wanted force gets a damper that dissipates the difference in the coming period; one of no more than
    `most` [N s/m], for a sampled damper that is too strong is itself what swings. What is left waits."""
    period = told[PERIOD]
    for hand in range(hands):
        m = MOTION * hand
        w = PUSH * hand
        e = LEDGER * hand
        way = 0.0
        if ledger[e + SEEN] != 0.0:
            for i in range(3):
                step = devices[m + PLACE + i] - ledger[e + BEFORE + i]
                way += step * step
                # The hand feels `shown`, and so it does work against it.
                ledger[e + PUT_IN] = ledger[e + PUT_IN] - shown[w + i] * step
                turn = devices[m + OMEGA + i] * period
                ledger[e + PUT_IN] = ledger[e + PUT_IN] - shown[w + 3 + i] * turn
        ledger[e + LEAST] = min(ledger[e + LEAST], ledger[e + PUT_IN])
        if controls != 0 and ledger[e + PUT_IN] < 0.0 and way > 0.0:
            # α = −E/(T v²), v = |step|/T.
            damping = min(-ledger[e + PUT_IN] * period / way, most)
            for i in range(3):
                step = devices[m + PLACE + i] - ledger[e + BEFORE + i]
                wanted[w + i] = wanted[w + i] - damping * step / period
            ledger[e + TAKEN_OUT] = ledger[e + TAKEN_OUT] + damping * way / period
        for i in range(3):
            ledger[e + BEFORE + i] = devices[m + PLACE + i]
        ledger[e + SEEN] = 1.0
