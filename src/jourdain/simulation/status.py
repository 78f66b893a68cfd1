"""How a run ends: each way with its sentence."""

from __future__ import annotations

from enum import Enum


class Status(Enum):
    """Numbers that compiled code leaves behind, and what they mean."""

    RUNNING = 0
    DONE = 1
    STOPPED = 2
    STEP_TOO_SMALL = 3
    NOT_FINITE = 4
    CONSTRAINTS_LOST = 5
    NOT_SOLVED = 6
    INTERRUPTED = 7
    NOT_SETTLING = 8
    CONTACTS_NOT_SOLVED = 9
    PARADOX = 10
    CONTRADICTION = 11
    RAISED = 12
    IMPOSED_AFAR = 13

    @property
    def sentence(self) -> str:
        """For people."""
        return SENTENCES[self]

    @property
    def is_success(self) -> bool:
        """Whether the end of the time, or an event that stops, was reached."""
        return self in (Status.DONE, Status.STOPPED)


SENTENCES = {
    Status.RUNNING: "the run has not ended",
    Status.DONE: "the end of the time was reached",
    Status.STOPPED: "an event that stops the run occurred",
    Status.STEP_TOO_SMALL: (
        "steps shrank to nothing: the motion becomes infinitely fast or jumps; look at the last state, or loosen rtol"
    ),
    Status.NOT_FINITE: (
        "a state is not finite: the step is too long for this motion, or the equations are singular; try shorter steps"
    ),
    Status.CONSTRAINTS_LOST: (
        "the state could not be brought back onto the constraints: they contradict each other here, or are singular; "
        "if they should not, try shorter steps"
    ),
    Status.NOT_SOLVED: "the implicit equations of a step could not be solved; try shorter steps",
    Status.NOT_SETTLING: (
        "constraints are imposed and deleted without end: what imposes one and what deletes it hold together, or more "
        "and more changes crowd into no time; look at the last changes"
    ),
    Status.CONTACTS_NOT_SOLVED: "no forces of the contacts were found that fit together",
    Status.PARADOX: (
        "Painlevé's paradox: a sliding contact whose friction drives it into what it slides on; no rigid body's "
        "motion goes on from here, or several do"
    ),
    Status.CONTRADICTION: "constraints that hold together contradict one another",
    Status.IMPOSED_AFAR: "a constraint was imposed where positions are far from satisfying it, and cannot jump",
    Status.RAISED: "a function that was asked raised an exception: what was computed until then is kept",
    Status.INTERRUPTED: "interrupted: what was computed until then is kept",
}
