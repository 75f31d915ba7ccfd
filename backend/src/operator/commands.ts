import type { Command } from './command-line/command.ts';
import { listEvents } from './events/list-events.ts';
import { replayEvents } from './events/replay-events.ts';
import { closeRequest } from './privacy-requests/close-request.ts';
import { listRequests } from './privacy-requests/list-requests.ts';
import { stats } from './stats/stats.ts';
import { exportSubscribers } from './subscribers/export-subscribers.ts';
import { forgetSubscriber } from './subscribers/forget-subscriber.ts';
import { showSubscriber } from './subscribers/show-subscriber.ts';

/** Every command of an operator, in the order in which the help has them. */
export const commands: readonly Command[] = [
  stats,
  exportSubscribers,
  showSubscriber,
  forgetSubscriber,
  listEvents,
  replayEvents,
  listRequests,
  closeRequest,
];
