import { emailAddressSchema, waitlistEntryIdSchema } from '@daybook/contract';

/** Who is looking at a page of the journey, as far as its address tells (docs/product.md, Pages). */
export interface Visitor {
  /** The waitlist entry that the signup made. */
  readonly id: number | undefined;
  readonly email: string | undefined;
}

/** The names under which links to /thank-you carry the visitor's details, in order of preference. */
const idParameters = ['id', 'userId', 'uid'];
const emailParameters = ['email', 'e'];

/**
 * The whole number in `text`, or `undefined`: `12abc`, `1.5`, nothing at all, and numbers that no entry can
 * have are all no registration id (docs/product.md, Validation).
 */
export function parseRegistrationId(text: string | null | undefined): number | undefined {
  return waitlistEntryIdSchema.safeParse(text).data;
}

/** The address in `text`, or `undefined`: a page must not repeat just any text that a link put into its address. */
export function parseEmailAddress(text: string | null | undefined): string | undefined {
  return emailAddressSchema.safeParse(text).data;
}

/** Reads the visitor from the query of /thank-you: `id`, `userId` or `uid`; `email` or `e`. */
export function readVisitor(parameters: URLSearchParams): Visitor {
  return {
    id: idParameters.map((name) => parseRegistrationId(parameters.get(name))).find((id) => id !== undefined),
    email: emailParameters.map((name) => parseEmailAddress(parameters.get(name))).find((email) => email !== undefined),
  };
}

/** Address of the offer picker for this visitor. */
export const offerPickerAddress = (visitor: Visitor) => withVisitor('/continue-registration', visitor);

/** Address of the thank-you page for this visitor. */
export const thankYouAddress = (visitor: Visitor) => withVisitor('/thank-you', visitor);

function withVisitor(path: string, { id, email }: Visitor): string {
  const parameters = new URLSearchParams();
  if (id !== undefined) parameters.set('id', String(id));
  if (email !== undefined) parameters.set('email', email);
  return parameters.size === 0 ? path : `${path}?${parameters}`;
}
