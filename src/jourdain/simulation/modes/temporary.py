from ...program import Floats, kernel
@kernel
def resolve_impact(W: Floats, v: Floats, ld: int, count: int, start: Floats, e: Floats, p: Floats) -> None:
    for i in range(ld):
        p[i] = 0.0
    for k in range(count):
        i = int(start[k])
        if v[i] < 0.0:
            p[i] = -(1.0 + e[k]) * v[i] / W[i * ld + i]
