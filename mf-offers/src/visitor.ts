import { waitlistEntryIdLimit } from '@daybook/contract/calls';
import { emailOf } from '@daybook/contract/email';

/** The visitor of a page of the journey, as far as known from its URL (docs/product.md, Pages). */
export interface Visitor {
  /** Id of the waitlist entry created by the signup. */
  readonly id: number | undefined;
  readonly email: string | undefined;
}

/** The parameter names for the visitor's details in links to /thank-you, in order of preference. */
const idParameters = ['id', 'userId', 'uid'];
const emailParameters = ['email', 'e'];

/**
 * Parses a registration id; returns `undefined` for anything but a whole number in the range of entry ids: `12abc`,
 * `1.5`, an empty text (docs/product.md, Validation).
 */
export function parseRegistrationId(text: string | null | undefined): number | undefined {
  const id = /^\d{1,15}$/.test(text ?? '') ? Number(text) : 0;
  return id > 0 && id < waitlistEntryIdLimit ? id : undefined;
}

/** Parses the email by the rule of the forms; a page must not show arbitrary text from a link. */
export function parseEmail(text: string | null | undefined): string | undefined {
  return emailOf(text ?? '');
}

/** Reads the visitor from the query of /thank-you: `id`, `userId` or `uid`; `email` or `e`. */
export function readVisitor(parameters: URLSearchParams): Visitor {
  return {
    id: idParameters.map((name) => parseRegistrationId(parameters.get(name))).find((id) => id !== undefined),
    email: emailParameters.map((name) => parseEmail(parameters.get(name))).find((email) => email !== undefined),
  };
}

/** Returns the URL of the offer picker for this visitor. */
export const offerPickerUrl = (visitor: Visitor) => withVisitor('/continue-registration', visitor);

/** Returns the URL of the thank-you page for this visitor. */
export const thankYouUrl = (visitor: Visitor) => withVisitor('/thank-you', visitor);

function withVisitor(path: string, { id, email }: Visitor): string {
  const parameters = new URLSearchParams();
  if (id !== undefined) parameters.set('id', String(id));
  if (email !== undefined) parameters.set('email', email);
  return parameters.size === 0 ? path : `${path}?${parameters}`;
}
