import { CreateWaitlist1795219200000 } from './1795219200000-create-waitlist.ts';
import { IndexRetention1795305600000 } from './1795305600000-index-retention.ts';
import { CreateOutbox1795392000000 } from './1795392000000-create-outbox.ts';
import { CreateRequestCount1795395600000 } from './1795395600000-create-request-count.ts';
import { CreatePrivacyRequest1795399200000 } from './1795399200000-create-privacy-request.ts';
import { CreateForgottenCount1795402800000 } from './1795402800000-create-forgotten-count.ts';
import { FixStoredAddresses1795413600000 } from './1795413600000-fix-stored-addresses.ts';
import { AddSuspectedEntry1795417200000 } from './1795417200000-add-suspected-entry.ts';
import { AddSignupKey1795420800000 } from './1795420800000-add-signup-key.ts';

/** In the order in which they run; a migration that was released is never changed. */
export const migrations = [
  CreateWaitlist1795219200000,
  IndexRetention1795305600000,
  CreateOutbox1795392000000,
  CreateRequestCount1795395600000,
  CreatePrivacyRequest1795399200000,
  CreateForgottenCount1795402800000,
  FixStoredAddresses1795413600000,
  AddSuspectedEntry1795417200000,
  AddSignupKey1795420800000,
];
