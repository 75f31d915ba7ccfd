export { Drain, stopOnSignals } from './drain.ts';
