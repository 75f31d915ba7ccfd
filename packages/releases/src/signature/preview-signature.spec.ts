import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { hashOfToken, newPreviewToken } from '../serving/preview-token.ts';
import { edited } from '../test/edited.ts';
import { wholeRelease } from '../test/releases.ts';
import { forge as forgeOf, newSigner } from '../test/signers.ts';
import { previewLifetime, signPreview, signRelease, verifyPreview, verifyRelease } from './signature.ts';

const remote = 'mf-legal';
const now = Date.parse('2026-11-22T12:00:00Z');
const team = newSigner();
const keys = [team.publicKey];
const text = JSON.stringify(wholeRelease(remote, '1.0.1-00000001'));
const tokenHash = hashOfToken(newPreviewToken());
const signed = await signPreview(text, remote, tokenHash, team, now);

const rejected = (message: string | RegExp) =>
  expect.objectContaining({ name: 'ReleaseRejection', reason: 'signature', message: expect.stringMatching(message) });

const forge = (content: string, header: object, claims: object) =>
  forgeOf(content, (input) => team.sign(input), header, claims);

describe('a signed preview', () => {
  test('has the same text after verification, and states the hash of its token and its end', async () => {
    expect(await verifyPreview(signed, remote, keys, now)).toEqual({
      text,
      preview: { signedAt: now, expiresAt: now + previewLifetime, tokenHash },
    });
  });

  test('needs no trusted key where releases need none', async () => {
    expect((await verifyPreview(signed, remote, undefined, now)).preview.tokenHash).toBe(tokenHash);
  });

  test('can be read when it is over: its file may stay at the origin', async () => {
    const { preview } = await verifyPreview(signed, remote, keys, now + 2 * previewLifetime);
    expect(preview.expiresAt).toBe(now + previewLifetime);
  });

  test('never contains the token', async () => {
    const token = newPreviewToken();
    const content = await signPreview(text, remote, hashOfToken(token), team, now);
    const [, claims = ''] = content.split('.');
    expect(content + Buffer.from(claims, 'base64url')).not.toContain(token);
  });
});

describe('a signature of the one kind is not accepted as one of the other', () => {
  test('a preview offered as a release', async () => {
    await expect(verifyRelease(signed, remote, keys, now)).rejects.toEqual(rejected(/^its signature is not valid: /));
  });

  test('a release offered as a preview', async () => {
    const release = await signRelease(text, remote, team, now);
    for (const trusted of [keys, undefined])
      await expect(verifyPreview(release, remote, trusted, now)).rejects.toEqual(
        rejected(/^its signature is not valid: /),
      );
  });

  test.each<[string, object, object]>([
    ['the type of a release', { typ: 'daybook-release+jwt' }, {}],
    ['no token', {}, { token: undefined }],
    ['a token that is no hash', {}, { token: 'x' }],
    ['a longer validity', {}, { exp: now / 1000 + previewLifetime / 1000 + 1 }],
    ['another remote', {}, { sub: 'mf-privacy' }],
    ['another claim', {}, { nbf: 0 }],
  ])('a preview with %s', async (_what, header, claims) => {
    await expect(verifyPreview(await forge(signed, header, claims), remote, keys, now)).rejects.toEqual(rejected(''));
  });

  test('a preview as a release, with only its type or only its claims changed by whoever has the key', async () => {
    for (const [header, claims] of [
      [{ typ: 'daybook-release+jwt' }, {}],
      [{}, { token: undefined }],
    ] as const)
      await expect(verifyRelease(await forge(signed, header, claims), remote, keys, now)).rejects.toEqual(rejected(''));
  });

  test('a preview of another team', async () => {
    const theirs = await signPreview(text, remote, tokenHash, newSigner(), now);
    await expect(verifyPreview(theirs, remote, keys, now)).rejects.toEqual(rejected(/not one of mf-legal's/));
  });
});

test('a preview is rejected if any character of it is changed, added or removed', async () => {
  await fc.assert(
    fc.asyncProperty(edited(signed), async (changed) => {
      await expect(verifyPreview(changed, remote, keys, now)).rejects.toEqual(rejected(''));
    }),
    { numRuns: 300 },
  );
});
