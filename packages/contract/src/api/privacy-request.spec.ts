import { describe, expect, test } from '@jest/globals';
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

const messagesOf = (request: object) => privacyRequestSchema.safeParse(request).error?.issues.map((i) => i.message);

describe('a privacy request', () => {
  test.each(privacyRequestKinds)('of the kind %s is accepted unchanged', (kind) => {
    const request = { kind, ...common, fields: fieldsOf[kind] };
    expect(privacyRequestSchema.parse(request)).toEqual(request);
  });

  test('may omit empty fields, and contains only the fields of its form', () => {
    expect(privacyRequestSchema.parse({ kind: 'unsubscribe', ...common })).toMatchObject({ fields: {} });
    const fields = { name: ' Ada ', requestType: 'delete' };
    expect(privacyRequestSchema.parse({ kind: 'privacy-rights-request', ...common, fields })).toMatchObject({
      fields: { name: 'Ada', requestType: 'delete', comments: '' },
    });
    const others = { categoriesToLimit: ['browsing'], name: 'Ada' };
    const limiting = privacyRequestSchema.parse({ kind: 'limit-sensitive-info', ...common, fields: others });
    expect(limiting.fields).toEqual({ categoriesToLimit: ['browsing'] });
  });

  test.each([
    ['unsubscribe', { email: 'a\u200b@example.com' }, 'Please enter a valid email address.'],
    ['unsubscribe', { email: `${'a'.repeat(250)}@b.co` }, 'An email address has at most 254 characters.'],
    ['unsubscribe', { pageVersion: 'mf-privacy' }, 'pageVersion must be a release such as mf-privacy@1.0.0-3f9ac2d1'],
    ['privacy-rights-request', { fields: { name: ' ' } }, 'Please enter your full name.'],
    ['privacy-rights-request', { fields: { name: 'a'.repeat(201) } }, 'Your name can have at most 200 characters.'],
    ...['a'.repeat(10_001), 'é'.repeat(5_001), '😀'.repeat(2_501)].map(
      (comments) =>
        [
          'privacy-rights-request',
          { fields: { comments } },
          'Additional comments are too long: 10,000 English letters fit, fewer in other scripts.',
        ] as const,
    ),
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
  ] as const)('%s with %p is rejected: %s', (kind, changes, message) => {
    const fields = { ...fieldsOf[kind], ...('fields' in changes ? changes.fields : {}) };
    expect(messagesOf({ kind, ...common, ...changes, fields })).toEqual([message]);
  });

  test('of an unknown kind is rejected with the list of known kinds', () => {
    expect(messagesOf({ kind: 'forget-me', ...common })).toEqual([
      `kind must be one of ${privacyRequestKinds.join(', ')}`,
    ]);
  });
});
