import type { Visitor } from './visitor.ts';

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
