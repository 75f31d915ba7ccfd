import { expect, test } from '@jest/globals';
import { privacyRequestKinds } from './privacy-choices.ts';
import { privacyRequestSchema } from './privacy-request.ts';

const common = {
  email: 'reader@example.com',
  pageVersion: 'mf-privacy@1.0.0-3f9ac2d1',
};
const fieldsOf = {
  unsubscribe: {},
  'ca-unsubscribe': {},
  'privacy-rights-request': { name: 'Ada Reader', requestType: 'access', comments: '' },
  'profiling-opt-out': {},
  'targeted-opt-out': {},
  'limit-sensitive-info': { categoriesToLimit: ['health'] },
} as const;

const parse = (request: object) => privacyRequestSchema.safeParse(request);
const tooLong = 'Additional comments are too long: 10,000 English letters fit, fewer in other scripts.';

test.each(privacyRequestKinds)('a privacy request of the kind %s is accepted unchanged', (kind) => {
  const request = { kind, ...common, fields: fieldsOf[kind] };
  expect(parse(request).data).toEqual(request);
});

test('a name has at most 200 characters, also beyond the Basic Multilingual Plane', () => {
  const withName = (name: string) =>
    parse({ kind: 'privacy-rights-request', ...common, fields: { name, requestType: 'access' } });
  expect([200, 201].map((length) => withName('𠮷'.repeat(length)).success)).toEqual([true, false]);
});

test.each([
  ['unsubscribe', undefined, {}],
  [
    'privacy-rights-request',
    { name: ' Ada ', requestType: 'delete' },
    { name: 'Ada', requestType: 'delete', comments: '' },
  ],
  ['limit-sensitive-info', { categoriesToLimit: ['browsing'], name: 'Ada' }, { categoriesToLimit: ['browsing'] }],
])('%s may omit empty fields, and contains only the fields of its form: %j', (kind, fields, stored) => {
  expect(parse({ kind, ...common, fields }).data?.fields).toEqual(stored);
});

test.each([
  ['unsubscribe', { email: 'a\u200b@example.com' }, 'Please enter a valid email address.'],
  ['unsubscribe', { pageVersion: 'mf-privacy' }, 'pageVersion must be a release such as mf-privacy@1.0.0-3f9ac2d1'],
  ['privacy-rights-request', { fields: { name: ' ' } }, 'Please enter your full name.'],
  ['privacy-rights-request', { fields: { comments: '😀'.repeat(2_501) } }, tooLong],
  ['privacy-rights-request', { fields: { comments: '\0' } }, 'contains a character that cannot be stored'],
  [
    'limit-sensitive-info',
    { fields: { categoriesToLimit: [] } },
    'Please select at least one category of sensitive information.',
  ],
  [
    'limit-sensitive-info',
    { fields: { categoriesToLimit: ['health', 'health'] } },
    'categoriesToLimit must not contain duplicates',
  ],
  ['unsubscribe', { kind: 'forget-me' }, `kind must be one of ${privacyRequestKinds.join(', ')}`],
] as const)('%s with %p is rejected: %s', (kind, changes, message) => {
  const fields = { ...fieldsOf[kind], ...('fields' in changes ? changes.fields : {}) };
  const { error } = parse({ kind, ...common, ...changes, fields });
  expect(error?.issues.map((issue) => issue.message)).toEqual([message]);
});
