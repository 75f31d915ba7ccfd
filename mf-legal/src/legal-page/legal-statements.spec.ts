import { readFileSync } from 'node:fs';
import path from 'node:path';
import { makePrivacyRequest, waitlistCalls } from '@daybook/contract/api';
import { failureKinds, pageReportSchema } from '@daybook/contract/page';
import { remoteIndexUrl } from '@daybook/contract/release';
import { expect, test } from '@jest/globals';

// A new call fails here until a sentence of the policy states it.

const privacyPolicy = readFileSync(path.join(import.meta.dirname, '../../content/privacy-policy.md'), 'utf8');

/** Where the Privacy Policy states what a call is for. */
const statements: Readonly<Record<string, string>> = {
  'POST /api/waitlist': 'Your email address when you sign up',
  'GET /api/waitlist/by-email': 'If your browser cannot find your registration when it should be completed',
  'PUT /api/waitlist/{id}/step/{step}': 'the step you reached',
  'PUT /api/waitlist/{id}/complete': 'whether you completed it',
  'PUT /api/waitlist/{id}': 'has room for a first name, a last name and a ZIP code',
  'PUT /api/waitlist/{id}/offers': 'the bonus offers you choose, or the fact that you chose none',
  'PUT /api/waitlist/{id}/update-client-info': 'When you reach the thank-you page, we note with your registration',
  'POST /api/waitlist/{id}/notify-complete': 'whether you completed it',
  'POST /api/emergency-webhook': 'it may send us your email address with the time',
  'POST /api/privacy-requests': 'we have what you entered there',
  'report: load': 'When a part of the website does not load',
  'report: render': 'stops working',
  'report: hydration': 'differs from what our server sent',
  'report of remote': 'which part',
  'report of version': 'which version of it',
  'report of route': 'on which of our pages',
  [remoteIndexUrl]: 'A page that has been open for a while also asks our server which versions are current',
};

test('the Privacy Policy states exactly the calls and reports of pages', () => {
  const calls = [...Object.values(waitlistCalls), makePrivacyRequest].map(({ method, path }) => `${method} ${path}`);
  const reports = failureKinds.map((kind) => `report: ${kind}`);
  const { kind: _, ...reported } = pageReportSchema.shape;
  const reportedFields = Object.keys(reported).map((field) => `report of ${field}`);
  expect(Object.keys(statements).sort()).toEqual([...calls, ...reports, ...reportedFields, remoteIndexUrl].sort());
  expect(Object.values(statements).filter((statement) => !privacyPolicy.includes(statement))).toEqual([]);
  // A sentence that says when a browser reports names the kinds above alone.
  expect(privacyPolicy.match(/[^.]*your browser tells our server[^.]*\./g)).toEqual([
    expect.stringMatching(/does not load, stops working, or differs from what our server sent, your browser tells/),
  ]);
});

/** What the Privacy Policy says of the fields of calls; an empty text for what is not about a person. */
const fields: Readonly<Record<string, string>> = {
  email: 'Your email address when you sign up',
  selectedOffers: 'the bonus offers you choose',
  firstName: 'a first name',
  lastName: 'a last name',
  zipCode: 'a ZIP code',
  ...{ topic: '', source: '', timestamp: '', forceSend: '' },
};

test('the Privacy Policy states the fields of calls, and which no page asks for', () => {
  const bodies = Object.values(waitlistCalls).flatMap((call) => ('body' in call ? Object.keys(call.body.shape) : []));
  expect(Object.keys(fields).sort()).toEqual([...new Set(bodies)].sort());
  expect(Object.values(fields).filter((statement) => !privacyPolicy.includes(statement))).toEqual([]);
  expect(privacyPolicy).toMatch(
    /a first name, a last name and a ZIP code,[^.]*\. No page of this website currently asks/,
  );
});
