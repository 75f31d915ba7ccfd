import { type Comparison, summarise } from '../comparison.ts';
import { median } from '../statistics.ts';
import type { AimResult } from './parts.ts';
import { variantNames } from './variants/variant.ts';

type PageCase = Comparison['cases'][number];

const { site, staticPages, singleBundle } = variantNames;

/** The compressed script of the home page until it is hydrated, at most, in kB. */
const mostScript = 120;
const mostScriptRatio = 1.25;
const mostBlocking = 50;

const medianOf = ({ rounds }: PageCase, key: string) => summarise(rounds, site, key, site)?.value ?? Number.NaN;
const ratioOf = ({ rounds }: PageCase, key: string, baseline: string) =>
  summarise(rounds, site, key, baseline)?.ratios?.ratio ?? Number.NaN;

/** The case with the highest value. */
function worst(cases: readonly PageCase[], value: (each: PageCase) => number) {
  return cases
    .map((each) => ({ name: each.name, value: value(each) }))
    .reduce((highest, each) => (each.value > highest.value ? each : highest));
}

const ratioOrNone = (ratio: number) => (Number.isNaN(ratio) ? 'not measured' : `${ratio.toFixed(2)} ×`);

/** The ratio of any route: of the worst one. */
function worstAim(figure: string, aim: number, cases: readonly PageCase[], key: string, baseline: string): AimResult {
  const highest = worst(cases, (each) => ratioOf(each, key, baseline));
  const met = cases.filter((each) => ratioOf(each, key, baseline) <= aim).length;
  return {
    figure,
    aim: `≤ ${aim.toFixed(2)} × ${baseline}`,
    measured: `${met} of ${cases.length} routes; at most ${ratioOrNone(highest.value)} (${highest.name})`,
    met: met === cases.length,
  };
}

/** The ratio of the route in the middle. */
function medianAim(figure: string, aim: number, cases: readonly PageCase[], key: string, baseline: string): AimResult {
  const highest = worst(cases, (each) => ratioOf(each, key, baseline));
  const middle = median(cases.map((each) => ratioOf(each, key, baseline)));
  return {
    figure,
    aim: `≤ ${aim.toFixed(2)} × ${baseline}`,
    measured: `${ratioOrNone(middle)}; at most ${ratioOrNone(highest.value)} (${highest.name})`,
    met: middle <= aim,
  };
}

/**
 * What pages say of the aims. The ones of the home page are left out where it was not measured.
 *
 * @param cold a case for each route, named by its path
 * @param warm the same with a warm cache
 */
export function pageAims(cold: readonly PageCase[], warm: readonly PageCase[]): readonly AimResult[] {
  const shift = worst([...cold, ...warm], (each) => medianOf(each, 'layoutShift'));
  const home = cold.find(({ name }) => name === '/');
  const ofAll = [
    worstAim('largest contentful paint, any route, cold', 1.05, cold, 'largestPaint', staticPages),
    {
      figure: 'layout shift',
      aim: '0',
      measured: shift.value === 0 ? '0' : `${shift.value.toFixed(3)} (${shift.name})`,
      met: shift.value === 0,
    },
    medianAim('time to hydrated, median of the routes, cold', 1, cold, 'hydrated', singleBundle),
  ];
  if (!home) return ofAll;
  const blocking = medianOf(home, 'blocking');
  const script = medianOf(home, 'scriptKilobytes');
  const scriptRatio = ratioOf(home, 'scriptKilobytes', singleBundle);
  return [
    ...ofAll,
    {
      figure: 'total blocking time on `/`, 4x CPU',
      aim: `≤ ${mostBlocking} ms`,
      measured: `${blocking.toFixed(0)} ms`,
      met: blocking <= mostBlocking,
    },
    {
      figure: 'JavaScript on `/` until hydrated, compressed',
      aim: `≤ ${mostScriptRatio} × ${singleBundle}, and ≤ ${mostScript} kB`,
      measured: `${scriptRatio.toFixed(2)} ×, ${script.toFixed(1)} kB`,
      met: scriptRatio <= mostScriptRatio && script <= mostScript,
    },
  ];
}
