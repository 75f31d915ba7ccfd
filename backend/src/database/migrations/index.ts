import { CreateWaitlist1795219200000 } from './1795219200000-create-waitlist.ts';

/** In the order in which they run; a migration that was released is never changed. */
export const migrations = [CreateWaitlist1795219200000];
