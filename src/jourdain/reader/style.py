"""How the page looks: one column, quiet colours in light and dark, fit for a phone and for paper."""

PAGE_CSS = """
.jourdain, .jourdain-page {
  --ink: #1d2530; --soft: #5c6776; --line: #d9dee5; --paper: #fcfcfa; --accent: #1f5fa8; --link: #38608f;
  --joint: #b4501f; --panel: #f4f5f3;
}
@media (prefers-color-scheme: dark) {
  .jourdain, .jourdain-page {
    --ink: #e3e7ec; --soft: #9aa6b4; --line: #333c48; --paper: #14181d; --accent: #7fb2ee; --link: #8fb3dc;
    --joint: #f0955c; --panel: #1b2027;
  }
}
.jourdain {
  max-width: 54rem; margin: 0 auto; padding: 2.5rem 1.25rem 4rem; color: var(--ink);
  font: 1.0625rem/1.6 Charter, "Bitstream Charter", "Iowan Old Style", "Source Serif 4", Cambria, Georgia, serif;
  overflow-wrap: break-word; text-rendering: optimizeLegibility;
}
.jourdain h1 { font-size: 2rem; line-height: 1.15; margin: 0 0 .4rem; font-weight: 600; letter-spacing: -.01em; }
.jourdain header p { margin: 0 0 1rem; color: var(--soft); }
.jourdain nav { border-block: 1px solid var(--line); padding: .5rem 0; font-size: .9rem; line-height: 1.9; }
.jourdain nav a { color: var(--accent); text-decoration: none; margin-right: 1.1em; white-space: nowrap; }
.jourdain nav a:hover { text-decoration: underline; }
.jourdain h2 { font-size: 1.3rem; line-height: 1.25; margin: 2.6rem 0 .7rem; font-weight: 600; }
.jourdain h3 { font-size: 1rem; margin: 1.5rem 0 .3rem; font-weight: 600; color: var(--soft); }
.jourdain p { margin: .6rem 0; max-width: 44rem; }
.jourdain .wide { overflow-x: auto; margin: .8rem 0 1.2rem; }
.jourdain table { border-collapse: collapse; font-size: .94rem; line-height: 1.4; background: none; color: inherit; }
.jourdain caption { text-align: left; color: var(--soft); padding-bottom: .3rem; }
.jourdain th, .jourdain td {
  text-align: left; vertical-align: top; padding: .32rem 1.3rem .32rem 0; border-bottom: 1px solid var(--line);
}
.jourdain th { font-weight: 600; font-size: .82rem; color: var(--soft); white-space: nowrap; }
.jourdain .number { text-align: right; font-variant-numeric: tabular-nums lining-nums; white-space: nowrap; }
.jourdain math { font-size: 1.08em; font-family: "STIX Two Math", "Latin Modern Math", "Cambria Math", math; }
.jourdain mover > :last-child { padding-bottom: .13em; }
.jourdain math .b { font-weight: bold; }
.jourdain .formulas { margin: .8rem 0 1.2rem; overflow-x: auto; padding-bottom: .2rem; }
.jourdain .many { columns: 22rem; column-gap: 2rem; }
.jourdain .many .formula { break-inside: avoid; margin: 0; padding-block: .22rem; }
.jourdain .matrix {
  --tick: linear-gradient(currentColor, currentColor); border: solid currentColor; border-width: 0 .08em;
  padding: .1em .25em; margin: .1em .15em;
  background: var(--tick) 0 0 / .3em .08em no-repeat, var(--tick) 0 100% / .3em .08em no-repeat,
    var(--tick) 100% 0 / .3em .08em no-repeat, var(--tick) 100% 100% / .3em .08em no-repeat;
}
.jourdain .formula { margin: .45rem 0; padding-left: 1.2rem; }
.jourdain .long { padding-left: 3.6rem; text-indent: -2.4rem; line-height: 1.9; }
.jourdain .long math { text-indent: 0; }
.jourdain details { margin: .6rem 0; }
.jourdain summary { cursor: pointer; color: var(--soft); font-size: .9rem; }
.jourdain figure { margin: 1.2rem 0 1.6rem; }
.jourdain svg { display: block; width: 100%; height: auto; margin: 0 auto; }
.jourdain figcaption { color: var(--soft); font-size: .88rem; text-align: center; margin-top: .3rem; }
.jourdain svg text { font: 13px system-ui, "Helvetica Neue", Arial, sans-serif; fill: var(--ink); }
.jourdain svg .joint-label { fill: var(--joint); }
.jourdain svg .axis-label, .jourdain svg .soft { fill: var(--soft); }
.jourdain svg .link { stroke: var(--link); stroke-width: 5; stroke-linecap: round; stroke-linejoin: round; fill: none; }
.jourdain svg .arm { stroke: var(--link); stroke-width: 2; stroke-linecap: round; fill: none; }
.jourdain svg .wheel { stroke: var(--ink); stroke-width: 1.2; fill: var(--ink); fill-opacity: .75; }
.jourdain svg .off { fill-opacity: .12; stroke-dasharray: 3 2; }
.jourdain svg .mark { stroke: var(--joint); stroke-width: 1.8; fill: var(--paper); stroke-linejoin: round; }
.jourdain svg .axis { stroke: var(--joint); stroke-width: 1; stroke-dasharray: 7 3 1.5 3; fill: none; }
.jourdain svg .free { stroke: var(--soft); stroke-width: 1.4; stroke-dasharray: 5 5; fill: none; }
.jourdain svg .ground { stroke: var(--soft); stroke-width: 1.4; fill: none; }
.jourdain svg .center { stroke: var(--ink); stroke-width: 1.3; fill: var(--paper); }
.jourdain svg .filled { fill: var(--ink); stroke: none; }
.jourdain svg .gravity { stroke: var(--soft); stroke-width: 1.4; fill: none; }
.jourdain svg .tip { fill: var(--soft); stroke: none; }
@media (max-width: 40rem) {
  .jourdain { padding: 1.4rem 1rem 3rem; font-size: 1rem; }
  .jourdain h1 { font-size: 1.6rem; }
  .jourdain .formula { padding-left: .2rem; }
  .jourdain .long { padding-left: 2rem; text-indent: -1.8rem; }
}
@media print {
  .jourdain, .jourdain-page {
    --ink: #000; --soft: #444; --line: #bbb; --paper: #fff; --accent: #000; --link: #345; --joint: #843;
  }
  .jourdain { max-width: none; padding: 0; font-size: 10.5pt; }
  .jourdain nav, .jourdain summary { display: none; }
  .jourdain h2, .jourdain h3 { break-after: avoid; }
  .jourdain tr, .jourdain .formula, .jourdain figure { break-inside: avoid; }
  .jourdain .wide, .jourdain .formulas { overflow: visible; }
}
"""
