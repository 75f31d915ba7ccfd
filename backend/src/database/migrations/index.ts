// A migration that was released is never changed. They run in the order of the times in their names.
export { CreateWaitlist1795219200000 } from './1795219200000-create-waitlist.ts';
export { IndexRetention1795305600000 } from './1795305600000-index-retention.ts';
export { CreateOutbox1795392000000 } from './1795392000000-create-outbox.ts';
export { CreateRequestCount1795395600000 } from './1795395600000-create-request-count.ts';
export { CreatePrivacyRequest1795399200000 } from './1795399200000-create-privacy-request.ts';
export { CreateForgottenCount1795402800000 } from './1795402800000-create-forgotten-count.ts';
export { FixStoredAddresses1795413600000 } from './1795413600000-fix-stored-addresses.ts';
export { AddSuspectedEntry1795417200000 } from './1795417200000-add-suspected-entry.ts';
export { AddSignupKey1795420800000 } from './1795420800000-add-signup-key.ts';
export { CreateAuditLog1795424400000 } from './1795424400000-create-audit-log.ts';
