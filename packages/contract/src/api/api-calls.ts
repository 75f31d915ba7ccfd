import type { ApiCall } from './call.ts';
import { makePrivacyRequest } from './privacy-request.ts';
import { waitlistCalls } from './waitlist.ts';

/** Every call of the API: those of the product document, and the one of the privacy pages. */
export const apiCalls = { ...waitlistCalls, makePrivacyRequest } as const satisfies Record<string, ApiCall>;
