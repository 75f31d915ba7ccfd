/** The waitlist API: its calls, and the schemas of their bodies, for browsers and backend. */
export * from './call.ts';
export * from './calls.ts';
export * from './email.ts';
export * from './fields.ts';
export * from './privacy-choices.ts';
export * from './privacy-request.ts';
export * from './waitlist.ts';
