import { residentMegabytes } from '../../bench/process-use.ts';
import { linePicture } from '../../bench/report/line-picture.ts';
import { markdownTable } from '../../bench/report/table.ts';
import { median, slope } from '../../bench/statistics.ts';
import { startContestant } from './contestants.ts';
import { MeasuredLoad } from './measured-load.ts';
import type { BenchPart } from './parts.ts';

const interval = 1_000;
const connections = 32;

/** The backend's memory under load, over minutes. What grows shows in the second half, when it has warmed up. */
export const watchMemory: BenchPart = async ({ postgres, folder, effort, report }) => {
  const backend = await startContestant({ name: 'backend', server: 'backend', postgres, folder });
  const load = new MeasuredLoad(postgres);
  const points: (readonly [minutes: number, megabytes: number])[] = [];
  const since = performance.now();
  const sample = () => {
    const minutes = (performance.now() - since) / 60_000;
    const megabytes = residentMegabytes(backend.pid);
    if (megabytes === undefined) return;
    points.push([minutes, megabytes]);
    if (points.length % 30 === 0) report(`${minutes.toFixed(1)} of ${effort.minutes} min: ${megabytes.toFixed(0)} MB`);
  };
  const timer = setInterval(sample, interval);
  const { perSecond = 0 } = await load.measure(backend, { connections, seconds: effort.minutes * 60 });
  clearInterval(timer);
  if (points.length === 0) throw new Error('This system does not tell how much memory a process uses.');
  const total = await load.confirm();

  const part = (from: number, to: number) =>
    points.filter(([minutes]) => minutes >= effort.minutes * from && minutes <= effort.minutes * to);
  const medianOf = (from: number, to: number) => median(part(from, to).map(([, megabytes]) => megabytes));
  const [middle, end] = [medianOf(0.5, 0.6), medianOf(0.9, 1)];
  const rows = [
    ['signups', String(total)],
    ['signups per second', perSecond.toFixed(0)],
    ['memory half way, in MB', middle.toFixed(0)],
    ['memory in the end, in MB', `${end.toFixed(0)} (${(end / middle).toFixed(2)})`],
    ['growth in the second half, in MB a minute', slope(part(0.5, 1)).toFixed(2)],
  ];
  return {
    name: 'api-memory',
    text: `${markdownTable(['', ''], rows, 1)}\n\n${effort.minutes} minutes of signups over ${connections} connections; in brackets the ratio to half way.`,
    caption: 'Memory of the backend over the run',
    picture: linePicture({
      title: `Memory of the backend under load: ${perSecond.toFixed(0)} signups per second`,
      x: 'minutes',
      y: 'MB',
      series: [{ name: 'backend', points }],
    }),
    data: { effort, perSecond, points },
  };
};
