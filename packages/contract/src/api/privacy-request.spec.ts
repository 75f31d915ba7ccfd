import { expect, test } from '@jest/globals';
import { privacyRequestKinds } from './privacy-choices.ts';
import { privacyRequestSchema } from './privacy-request.ts';

const common = { email: 'reader@example.com', pageVersion: 'mf-privacy@1.0.0-3f9ac2d1' };
const fieldsOf = {
  unsubscribe: {},
  'privacy-rights-request': { name: 'Ada Reader', requestType: 'access', comments: '' },
  'limit-sensitive-info': { categoriesToLimit: ['health'] },
} as const;

const parse = (request: object) => privacyRequestSchema.safeParse({ ...common, ...request });
const tooLong = 'Additional comments are too long: 10,000 English letters fit, fewer in other scripts.';
const noCategory = 'Please select at least one category of sensitive information.';

test.each([
  ['unsubscribe', undefined, {}],
  [
    'privacy-rights-request',
    { name: ' Ada ', requestType: 'access' },
    { name: 'Ada', requestType: 'access', comments: '' },
  ],
  ['limit-sensitive-info', { categoriesToLimit: ['browsing'], name: 'Ada' }, { categoriesToLimit: ['browsing'] }],
])('%s may omit empty fields, and contains only the fields of its form: %j', (kind, fields, stored) => {
  expect(parse({ kind, fields }).data?.fields).toEqual(stored);
});

test.each([
  ['unsubscribe', { pageVersion: 'mf-privacy' }, 'pageVersion must be a release such as mf-privacy@1.0.0-3f9ac2d1'],
  ['privacy-rights-request', { fields: { name: ' ' } }, 'Please enter your full name.'],
  ['privacy-rights-request', { fields: { comments: '😀'.repeat(2_501) } }, tooLong],
  ['privacy-rights-request', { fields: { comments: '\0' } }, 'contains a character that cannot be stored'],
  ['limit-sensitive-info', { fields: { categoriesToLimit: [] } }, noCategory],
  [
    'limit-sensitive-info',
    { fields: { categoriesToLimit: ['health', 'health'] } },
    'categoriesToLimit must not contain duplicates',
  ],
  ['unsubscribe', { kind: 'forget-me' }, `kind must be one of ${privacyRequestKinds.join(', ')}`],
] as const)('%s with %p is rejected: %s', (kind, changes, message) => {
  const fields = { ...fieldsOf[kind], ...('fields' in changes ? changes.fields : {}) };
  const { error } = parse({ kind, ...changes, fields });
  expect(error?.issues.map((issue) => issue.message)).toEqual([message]);
});
