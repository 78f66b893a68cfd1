"""Appendices 1 to 4 of Kane and Levinson (1983): the data, the Z's, X's and W's in order, and where the print is wrong.

Each line is `name = expression` as it must read; `ERRATA` holds what is printed there instead. `s2` is sin q2, `C12`
of (36) to (39), `m_A` … `A1` … the data of appendix 3.
"""

from __future__ import annotations

DATA: dict[str, float] = {
    "L1": 0.1, "L2": 0.6, "L3": 0.2, "L4": 0.1, "L5": 0.7, "L6": 0.06,
    "m_A": 9.0, "m_B": 6.0, "m_C": 4.0, "m_D": 1.0, "m_E": 0.6, "m_F": 0.5,
    "A1": 0.01, "A2": 0.02, "A3": 0.01, "B1": 0.06, "B2": 0.01, "B3": 0.05, "C1": 0.4, "C2": 0.01, "C3": 0.4,
    "D1": 0.0005, "D2": 0.001, "D3": 0.001, "E1": 0.0005, "E2": 0.0002, "E3": 0.0005, "F1": 0.001, "F2": 0.002,
    "F3": 0.003,
    "g": 9.81,  # not given in the paper
}  # fmt: skip

COSINES = """
C11 = c3
C12 = s3*s4
C13 = s3*c4
C22 = c4
C23 = -s4
C31 = -s3
C32 = c3*s4
C33 = c3*c4
"""

APPENDIX_1 = """
Z1 = (u1*s3 - u3*c3)/s2
Z2 = u1*c3 + u3*s3
Z3 = u2 - Z1*c2
Z4 = s3/s2
Z5 = -c3/s2
Z6 = Z4*c2
Z7 = Z5*c2
Z8 = -Z4*s2
Z9 = -Z5*s2
Z10 = Z6*u1 + Z7*u3
Z11 = Z8*u1 + Z9*u3
Z12 = u1 + u4
Z13 = u2*c4 + u3*s4
Z14 = u3*c4 - u2*s4
Z15 = s4*s5
Z16 = -c4*s5
Z17 = -s4*c5
Z18 = c4*c5
Z19 = u1*c5 + Z15*u2 + Z16*u3 + u4*c5
Z20 = u2*c4 + u3*s4 + u5
Z21 = u1*s5 + Z17*u2 + Z18*u3 + u4*s5
Z22 = -L1*Z4
Z23 = -L1*Z5
Z24 = Z22*u1 + Z23*u3
Z25 = -Z8*q6
Z26 = -Z9*q6
Z27 = Z22*s2
Z28 = Z23*s2
Z29 = Z22*c2 + q6*c3
Z30 = Z23*c2 + q6*s3
Z31 = Z25*u1 + Z26*u3
Z32 = Z27*u1 + Z28*u3 + u6
Z33 = Z29*u1 + Z30*u3
Z34 = Z25 - L5*Z8
Z35 = Z26 - L5*Z9
Z36 = Z29 + L5*c3
Z37 = Z30 + L5*s3
Z38 = Z34*u1 + Z35*u3
Z39 = Z36*u1 + Z37*u3
Z40 = Z25 - L2*Z8
Z41 = Z26 - L2*Z9
Z42 = Z29 + L2*c3
Z43 = Z30 + L2*s3
Z44 = Z40*C11 + Z42*C31
Z45 = Z41*C11 + Z43*C31
Z46 = Z40*C12 + Z27*C22 + Z42*C32
Z47 = Z41*C12 + Z28*C22 + Z43*C32
Z48 = Z40*C13 + Z27*C23 + Z42*C33
Z49 = Z41*C13 + Z28*C23 + Z43*C33
Z50 = L6*s4
Z51 = -L6*c4 + Z45
Z52 = L6 + Z48
Z53 = Z44*u1
Z54 = Z53 + Z50*u2 + Z51*u3
Z55 = Z46*u1 + Z47*u3 + C22*u6
Z56 = Z49*u3 + C23*u6
Z57 = Z56 + Z52*u1 + L6*u4
Z58 = L3*s4
Z59 = -L3*c4 + Z45
Z60 = L3 + Z48
Z61 = Z53 + Z58*u2 + Z59*u3
Z62 = Z56 + Z60*u1 + L3*u4
Z63 = (s2*c3*Z3 - s3*c2*Z2)/s2**2
Z64 = (s2*s3*Z3 + c3*c2*Z2)/s2**2
Z65 = s2*Z2
Z66 = c2*Z2
Z67 = Z63*c2 - Z4*Z65
Z68 = Z64*c2 - Z5*Z65
Z69 = -(Z63*s2 + Z4*Z66)
Z70 = -(Z64*s2 + Z5*Z66)
Z71 = Z63*u1 + Z64*u3
Z72 = (c3*u3 - s3*u1)*Z3
Z73 = Z67*u1 + Z68*u3
Z74 = Z69*u1 + Z70*u3
Z75 = (u3*c4 - u2*s4)*u4
Z76 = -(u2*c4 + u3*s4)*u4
Z77 = c4*u4*s5 + s4*c5*u5
Z78 = s4*u4*s5 - c4*c5*u5
Z79 = -c4*u4*c5 + s4*s5*u5
Z80 = -(s4*u4*c5 + c4*s5*u5)
Z81 = -Z12*s5*u5 + Z77*u2 + Z78*u3
Z82 = (u3*c4 - u2*s4)*u4
Z83 = Z12*c5*u5 + Z79*u2 + Z80*u3
Z84 = -Z3*s3
Z85 = -Z3*c3
Z86 = -s4*u4
Z87 = -c4*u4
Z88 = -Z87*s3 - Z85*s4
Z89 = Z86*s3 - Z85*c4
Z90 = -Z87*c3 + Z84*s4
Z91 = Z86*c3 + Z84*c4
Z92 = -L1*Z63
Z93 = -L1*Z64
Z94 = Z1*Z24
Z95 = Z92*u1 + Z93*u3
Z96 = -u6*Z8 - q6*Z69
Z97 = -u6*Z9 - q6*Z70
Z98 = c2*Z2
Z99 = Z92*s2 + Z22*Z98
Z100 = Z93*s2 + Z23*Z98
Z101 = s2*Z2
Z102 = q6*Z3
Z103 = Z92*c2 - Z22*Z101 + u6*c3 - Z102*s3
Z104 = Z93*c2 - Z23*Z101 + u6*s3 + Z102*c3
Z105 = Z96*u1 + Z97*u3 + Z10*Z33 - Z11*Z32
Z106 = Z99*u1 + Z100*u3 + Z11*Z31 - Z2*Z33
Z107 = Z103*u1 + Z104*u3 + Z2*Z32 - Z10*Z31
Z108 = Z96 - L5*Z69
Z109 = Z97 - L5*Z70
Z110 = Z103 - L5*s3*Z3
Z111 = Z104 + L5*c3*Z3
Z112 = Z108*u1 + Z109*u3 + Z10*Z39 - Z11*Z32
Z113 = Z99*u1 + Z100*u3 + Z11*Z38 - Z2*Z39
Z114 = Z110*u1 + Z111*u3 + Z2*Z32 - Z10*Z38
Z115 = Z96 - L2*Z69
Z116 = Z97 - L2*Z70
Z117 = Z103 - L2*s3*Z3
Z118 = Z104 + L2*c3*Z3
Z119 = Z115*C11 + Z40*Z84 + Z117*C31 + Z42*Z85
Z120 = Z116*C11 + Z41*Z84 + Z118*C31 + Z43*Z85
Z121 = Z115*C12 + Z40*Z88 + Z99*C22 + Z27*Z86 + Z117*C32 + Z42*Z90
Z122 = Z116*C12 + Z41*Z88 + Z100*C22 + Z28*Z86 + Z118*C32 + Z43*Z90
Z123 = Z115*C13 + Z40*Z89 + Z99*C23 + Z27*Z87 + Z117*C33 + Z42*Z91
Z124 = Z116*C13 + Z41*Z89 + Z100*C23 + Z28*Z87 + Z118*C33 + Z43*Z91
Z125 = L6*u4
Z126 = Z125*c4
Z127 = Z125*s4 + Z120
Z128 = Z119*u1 + Z126*u2 + Z127*u3 + Z13*Z57 - Z14*Z55
Z129 = Z121*u1 + Z122*u3 + Z86*u6 + Z14*Z54 - Z12*Z57
Z130 = Z123*u1 + Z124*u3 + Z87*u6 + Z12*Z55 - Z13*Z54
Z131 = L3*u4
Z132 = Z131*c4
Z133 = Z131*s4 + Z120
Z134 = Z119*u1 + Z132*u2 + Z133*u3 + Z13*Z62 - Z14*Z55
Z135 = Z121*u1 + Z122*u3 + Z86*u6 + Z14*Z61 - Z12*Z62
Z136 = Z123*u1 + Z124*u3 + Z87*u6 + Z12*Z55 - Z13*Z61
Z137 = -A2*Z4
Z138 = -A2*Z5
Z139 = -A2*Z71
Z140 = Z10*Z11
Z141 = Z11*Z2
Z142 = Z2*Z10
Z143 = Z140*(B2 - B3) - Z72*B1
Z144 = -c3*B1
Z145 = -s3*B1
Z146 = Z141*(B3 - B1) - Z73*B2
Z147 = -Z6*B2
Z148 = -Z7*B2
Z149 = Z142*(B1 - B2) - Z74*B3
Z150 = -Z8*B3
Z151 = -Z9*B3
Z152 = Z140*(C2 - C3) - Z72*C1
Z153 = -c3*C1
Z154 = -s3*C1
Z155 = Z141*(C3 - C1) - Z73*C2
Z156 = -Z6*C2
Z157 = -Z7*C2
Z158 = Z142*(C1 - C2) - Z74*C3
Z159 = -Z8*C3
Z160 = -Z9*C3
Z161 = u2*u3*(D2 - D3)
Z162 = u3*u1*(D3 - D1)
Z163 = u1*u2*(D1 - D2)
Z164 = Z13*Z14*(E2 - E3)
Z165 = Z14*Z12*(E3 - E1) - Z75*E2
Z166 = -c4*E2
Z167 = -s4*E2
Z168 = Z12*Z13*(E1 - E2) - Z76*E3
Z169 = s4*E3
Z170 = -c4*E3
Z171 = Z20*Z21*(F2 - F3) - Z81*F1
Z172 = -c5*F1
Z173 = -Z15*F1
Z174 = -Z16*F1
Z175 = Z21*Z19*(F3 - F1) - Z82*F2
Z176 = -c4*F2
Z177 = -s4*F2
Z178 = Z19*Z20*(F1 - F2) - Z83*F3
Z179 = -s5*F3
Z180 = -Z17*F3
Z181 = -Z18*F3
Z182 = -m_B*Z22*Z95 - m_C*(Z25*Z105 + Z27*Z106 + Z29*Z107) - m_D*(Z34*Z112 + Z27*Z113 + Z36*Z114) - m_E*(Z44*Z128 + Z46*Z129 + Z52*Z130) - m_F*(Z44*Z134 + Z46*Z135 + Z60*Z136) + Z4*Z139 + c3*(Z143 + Z152) + Z6*(Z146 + Z155) + Z8*(Z149 + Z158) + Z161 + Z164 + c5*Z171 + s5*Z178
Z183 = -m_E*Z50*Z128 - m_F*Z58*Z134 + Z162 + c4*(Z165 + Z175) - s4*Z168 + Z15*Z171 + Z17*Z178
Z184 = -m_B*Z23*Z95 - m_C*(Z26*Z105 + Z28*Z106 + Z30*Z107) - m_D*(Z35*Z112 + Z28*Z113 + Z37*Z114) - m_E*(Z51*Z128 + Z47*Z129 + Z49*Z130) - m_F*(Z59*Z134 + Z47*Z135 + Z49*Z136) + Z5*Z139 + s3*(Z143 + Z152) + Z7*(Z146 + Z155) + Z9*(Z149 + Z158) + Z163 + c4*Z168 + Z16*Z171 + Z18*Z178 + s4*(Z175 + Z165)
Z185 = -m_E*L6*Z130 - m_F*L3*Z136 + Z164 + c5*Z171 + s5*Z178
Z186 = Z175
Z187 = -m_C*Z106 - m_D*Z113 - m_E*(C22*Z129 + C23*Z130) - m_F*(C22*Z135 + C23*Z136)
Z188 = s2*s3
Z189 = s2*c3
Z190 = c2*c4 - s4*Z189
Z191 = -(c2*s4 + Z189*c4)
Z192 = -g*((m_C + m_D)*c2*Z27 - s2*(m_C*Z29 + m_D*Z36) + (m_E + m_F)*(Z44*Z188 + Z46*Z190) + Z191*(m_E*Z52 + m_F*Z60))
Z193 = -g*Z188*(m_E*Z50 + m_F*Z58)
Z194 = -g*((m_C + m_D)*Z28*c2 - s2*(m_C*Z30 + m_D*Z37) + (m_E + m_F)*(Z47*Z190 + Z49*Z191) + Z188*(m_E*Z51 + m_F*Z59))
Z195 = -g*Z191*(m_E*L6 + m_F*L3)
Z196 = -g*((m_C + m_D)*c2 + (m_E + m_F)*(C22*Z190 + C23*Z191))
"""  # noqa: E501

APPENDIX_2 = """
X11 = -m_B*Z22**2 - m_C*(Z25**2 + Z27**2 + Z29**2) - m_D*(Z34**2 + Z27**2 + Z36**2) - m_E*(Z44**2 + Z46**2 + Z52**2) - m_F*(Z44**2 + Z46**2 + Z60**2) + Z4*Z137 + c3*(Z144 + Z153) + Z6*(Z147 + Z156) + Z8*(Z159 + Z150) - D1 - E1 + c5*Z172 + s5*Z179
X12 = -Z44*(m_E*Z50 + m_F*Z58) + c5*Z173 + s5*Z180
X13 = -m_B*Z22*Z23 - m_C*(Z25*Z26 + Z27*Z28 + Z29*Z30) - m_D*(Z34*Z35 + Z27*Z28 + Z36*Z37) - m_E*(Z44*Z51 + Z46*Z47 + Z52*Z49) - m_F*(Z44*Z59 + Z46*Z47 + Z60*Z49) + Z4*Z138 + c3*(Z145 + Z154) + Z6*(Z148 + Z157) + Z8*(Z151 + Z160) + c5*Z174 + s5*Z181
X14 = -m_E*Z52*L6 - m_F*Z60*L3 - E1 + c5*Z172 + s5*Z179
X15 = 0
X16 = -(m_C + m_D)*Z27 - (m_E + m_F)*Z46*C22 - (m_E*Z52 + m_F*Z60)*C23
X22 = -m_E*Z50**2 - m_F*Z58**2 - D2 + c4*(Z166 + Z176) - s4*Z169 + Z15*Z173 + Z17*Z180
X23 = -m_E*Z50*Z51 - m_F*Z58*Z59 + c4*(Z167 + Z177) - s4*Z170 + Z15*Z174 + Z17*Z181
X24 = Z15*Z172 + Z17*Z179
X25 = -c4*F2
X26 = 0
X33 = -m_B*Z23**2 - m_C*(Z26**2 + Z28**2 + Z30**2) - m_D*(Z35**2 + Z28**2 + Z37**2) - m_E*(Z51**2 + Z47**2 + Z49**2) - m_F*(Z59**2 + Z47**2 + Z49**2) + Z5*Z138 + s3*(Z145 + Z154) + Z7*(Z148 + Z157) + Z9*(Z151 + Z160) - D3 + s4*(Z167 + Z177) + c4*Z170 + Z16*Z174 + Z18*Z181
X34 = -(m_E*L6 + m_F*L3)*Z49 + Z16*Z172 + Z18*Z179
X35 = -s4*F2
X36 = -(m_C + m_D)*Z28 - (m_E + m_F)*(Z47*C22 + Z49*C23)
X44 = -m_E*L6**2 - m_F*L3**2 - E1 + c5*Z172 + s5*Z179
X45 = 0
X46 = -(m_E*L6 + m_F*L3)*C23
X55 = -F2
X56 = 0
X66 = -(m_C + m_D + m_E + m_F)
"""  # noqa: E501

APPENDIX_4 = """
W1 = L4*c2 + q6
W2 = -L4*s2
W3 = W1 + L5
W4 = W1 + L2
W5 = L1*c3 - W2*s3
W6 = L1*s3 + W2*c3
W7 = W4*c4 + W6*s4
W8 = -W4*s4 + W6*c4
W9 = W7 + L6
W10 = W7 + L3
W11 = L4*Z24
W12 = -L1*Z24
W13 = W1*Z33 - W2*Z32
W14 = W2*Z31 - L1*Z33
W15 = L1*Z32 - W1*Z31
W16 = W3*Z39 - W2*Z32
W17 = W2*Z38 - L1*Z39
W18 = L1*Z32 - W3*Z38
W19 = W9*Z57 - W8*Z55
W20 = W8*Z54 - W5*Z57
W21 = W5*Z55 - W9*Z54
W22 = W10*Z62 - W8*Z55
W23 = W8*Z61 - W5*Z62
W24 = W5*Z55 - W10*Z61
W25 = s2*s3
W26 = -s2*c3
W27 = c2*c4 + W26*s4
W28 = -c2*s4 + W26*c4
W29 = W25*c5 - W28*s5
W30 = W25*s5 + W28*c5
W31 = A2*Z1 + c2*B2*Z10 - s2*B3*Z11 + c2*C2*Z10 - s2*C3*Z11 + W25*D1*u1 + c2*D2*u2 + W26*D3*u3 + W25*E1*Z12 + W27*E2*Z13 + W28*E3*Z14 + W29*F1*Z19 + W27*F2*Z20 + W30*F3*Z21 + m_B*W12 + m_C*(c2*W14 - s2*W15) + m_D*(c2*W17 - s2*W18) + m_E*(W25*W19 + W27*W20 + W28*W21) + m_F*(W25*W22 + W27*W23 + W28*W24)
"""  # noqa: E501

# Lines of the appendices that cannot be used as printed. (In the text we have; some may be the scan's.)
ERRATA: dict[str, str] = {
    "Z90": "-Z87*c5 + Z84*s4",
    "Z139": "A2*Z71",
    "Z149": "Z142*(B1 - B2) - Z7*B3",
    "Z193": "-g*Z118*(m_E*Z50 + m_F*Z58)",
    "W18": "L1*Z32 - W3*W38",
}
# And one whose name is misprinted: the line of Z93 stands under this name, which it would define twice.
MISNAMED = {"Z93": "Z92"}


def _lines(text: str) -> list[tuple[str, str]]:
    found = []
    for line in text.strip().splitlines():
        name, _, expression = line.partition(" = ")
        found.append((name, expression))
    return found


LINES = tuple(line for part in (COSINES, APPENDIX_1, APPENDIX_2, APPENDIX_4) for line in _lines(part))
