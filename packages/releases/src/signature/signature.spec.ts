import { createHmac } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { base64url } from 'jose';
import { wholeRelease } from '../test/releases.ts';
import { newSigner } from '../test/signers.ts';
import {
  hashOfToken,
  newPreviewToken,
  type ReleaseSigner,
  signPreview,
  signRelease,
  verifySigned,
} from './signature.ts';

const remote = 'mf-legal';
const now = Date.parse('2026-11-22T12:00:00Z');
const second = 1_000;
const day = 86_400_000;
const team = newSigner();
const text = JSON.stringify({ ...wholeRelease(remote, '1.0.1-00000001'), author: 'Zoë 🦊' });
const signed = await signRelease(text, remote, team, now);
const token = signed.slice(0, signed.indexOf('\n'));

const rejected = (message: string | RegExp) =>
  expect.objectContaining({
    name: 'ReleaseRejection',
    reason: 'signature',
    message: expect.stringMatching(message),
  });
const verify = (content: string, keys: readonly string[] = [team.publicKey], at = now) =>
  verifySigned('release', content, remote, keys, at);

/** Texts that differ from this one by an edit: up to three characters in place of up to three others. */
const edited = (text: string): fc.Arbitrary<string> =>
  fc
    .record({
      at: fc.nat(text.length - 1),
      removed: fc.nat(3),
      added: fc.string({ unit: fc.constantFrom(...'Aaz09-_.\n \u0000=é{"'), maxLength: 3 }),
    })
    .map(({ at, removed, added }) => text.slice(0, at) + added + text.slice(at + removed))
    .filter((changed) => changed !== text);

/** Returns a signed description whose token has other parts, signed by `signs`. */
async function forgeOf(
  signed: string,
  signs: ReleaseSigner['sign'],
  header: object,
  claims: object = {},
): Promise<string> {
  const lineEnd = signed.indexOf('\n');
  const [head = '', body = ''] = signed.slice(0, lineEnd).split('.');
  const changed = (part: string, changes: object) =>
    base64url.encode(JSON.stringify({ ...JSON.parse(String(Buffer.from(part, 'base64url'))), ...changes }));
  const input = `${changed(head, header)}.${changed(body, claims)}`;
  return `${input}.${base64url.encode(await signs(input))}${signed.slice(lineEnd)}`;
}

const byTeam: ReleaseSigner['sign'] = (input) => team.sign(input);
const forge = (header: object, claims: object = {}, signs = byTeam) => forgeOf(signed, signs, header, claims);

describe('a signed release', () => {
  test('has the same text after verification, and states key and times', async () => {
    expect(await verify(signed)).toEqual({
      text,
      signature: {
        key: team.publicKey,
        signedAt: now,
        expiresAt: now + 400 * day,
        integrity: expect.stringMatching(/^sha384-/),
      },
    });
  });

  test('has a short signing input, because services that hold keys sign no more than a few kB', async () => {
    const inputs: string[] = [];
    const signer: ReleaseSigner = { ...team, sign: (input) => team.sign(inputs[inputs.push(input) - 1] ?? '') };
    await signRelease('x'.repeat(300_000), remote, signer, now);
    expect(inputs.map(({ length }) => length < 500)).toEqual([true]);
  });

  test('is accepted from a machine whose clock is five minutes ahead, and until it expires', async () => {
    await verify(signed, undefined, now - 300 * second);
    await verify(signed, undefined, now + 400 * day - second);
  });

  test('is not made if the signature does not match the public key', async () => {
    const wrong = { ...team, publicKey: newSigner().publicKey };
    await expect(signRelease(text, remote, wrong, now)).rejects.toEqual(rejected(/made with another key/));
    const short = { ...team, sign: () => new Uint8Array(63) };
    await expect(signRelease(text, remote, short, now)).rejects.toEqual(rejected(/does not begin with a signature/));
  });
});

describe('a signature is rejected', () => {
  const noSignature = rejected(/^release\.jws does not begin with a signature$/);

  test('if any character of it or of the text is changed, added or removed', async () => {
    await fc.assert(
      fc.asyncProperty(edited(signed), async (changed) => {
        await expect(verify(changed)).rejects.toEqual(rejected(''));
      }),
      { numRuns: 1_000 },
    );
  });

  test('if any bit of it is flipped', async () => {
    const bytes = Buffer.from(token);
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const flipped = Buffer.from(bytes);
      flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      await expect(verify(`${flipped.toString('latin1')}\n${text}`)).rejects.toEqual(rejected(''));
    }
  });

  test('if it is anything else', async () => {
    const parts = fc.array(fc.oneof(fc.string(), fc.base64String(), fc.constantFrom(...token.split('.'))));
    await fc.assert(
      fc.asyncProperty(parts, fc.string(), async (each, rest) => {
        await expect(verify(`${each.join('.')}\n${rest}`)).rejects.toEqual(rejected(''));
      }),
    );
  });

  test.each([
    ['nothing', ''],
    ['only a text', text],
    ['only a signature', token],
    ['an empty line', `\n${text}`],
    ['two tokens', `${token}.${token}\n${text}`],
    ['doubled dots', `${token.replaceAll('.', '..')}\n${text}`],
    ['a missing signature', `${token.slice(0, token.lastIndexOf('.') + 1)}\n${text}`],
    ['a line end of Windows', `${token}\r\n${text}`],
  ])('with %s', async (_what, content) => {
    await expect(verify(content)).rejects.toEqual(noSignature);
  });

  test.each<[string, (length: number) => string]>([
    ['without a line end', (length) => 'a'.repeat(length)],
    ['in its header', (length) => `${'a'.repeat(length)}.${token}\n${text}`],
    ['of dots', (length) => '.'.repeat(length)],
  ])('with 300 kB %s, at no more cost than a thousand times 300 bytes', async (_what, contentOf) => {
    /** Returns the processor time of this thread; other work on the machine does not count. */
    const cost = async (content: string, times: number) => {
      const before = process.threadCpuUsage();
      for (let time = 0; time < times; time += 1)
        expect(await verify(content).catch((error) => error)).toEqual(noSignature);
      const { user, system } = process.threadCpuUsage(before);
      return user + system;
    };
    const short = await cost(contentOf(300), 1_000);
    const long = await cost(contentOf(300_000), 1);
    // If time grows with the square of the length, it costs a thousand times as much; otherwise the same, or less.
    expect(long).toBeLessThan(short);
  });

  test('with a key of another team, whichever is stated', async () => {
    const other = newSigner();
    await expect(verify(await signRelease(text, remote, other, now))).rejects.toEqual(
      rejected(`not one of mf-legal's: ${other.publicKey}; `),
    );
    await expect(verify(await forge({}, {}, (input) => other.sign(input)))).rejects.toEqual(
      rejected(/made with another key than it states$/),
    );
    await expect(verify(signed, [])).rejects.toEqual(rejected(/not one of mf-legal's/));
  });

  test('from the moment of its expiration', async () => {
    await expect(verify(signed, undefined, now + 400 * day)).rejects.toEqual(rejected(/expired on 2027-12-27/));
  });

  test('if it is valid for longer than releases are signed for', async () => {
    const [iat, validity] = [now / second, (400 * day) / second];
    await verify(await forge({}, { exp: iat + validity }));
    for (const exp of [iat + validity + 1, 253_402_300_799])
      await expect(verify(await forge({}, { exp }))).rejects.toEqual(
        rejected(/^its signature is valid for more than 400 days; sign it again with npm run release$/),
      );
    // The time of signing is what limits it, not the time of verification.
    await expect(verify(await forge({}, { iat: iat - 1 }))).rejects.toEqual(rejected(/more than 400 days/));
  });

  const key = { kty: 'OKP', crv: 'Ed25519', x: newSigner().publicKey };
  const hmac = (input: string) => createHmac('sha512', Buffer.from(team.publicKey, 'base64url')).update(input).digest();

  test.each<[string, object, ReleaseSigner['sign']]>([
    ['no algorithm', { alg: 'none' }, () => new Uint8Array(64)],
    ['HMAC with the public key as its secret', { alg: 'HS512' }, hmac],
    ['the older name of the algorithm', { alg: 'EdDSA' }, byTeam],
    ['an unknown critical extension', { crit: ['daybook'], daybook: true }, byTeam],
    ['an unencoded payload', { crit: ['b64'], b64: false }, byTeam],
    ['an embedded key', { jwk: key }, byTeam],
    ['the address of a key', { jku: 'http://127.0.0.1:1/keys' }, byTeam],
    ['a certificate', { x5c: ['MIIB'] }, byTeam],
    ['another type', { typ: 'JWT' }, byTeam],
    ['no type', { typ: undefined }, byTeam],
    ['no key', { kid: undefined }, byTeam],
    ['a number as the key', { kid: 1 }, byTeam],
    ['a list of keys', { kid: [team.publicKey] }, byTeam],
    ['a path as the key', { kid: '../../etc/passwd' }, byTeam],
    ['another field', { iat: 1 }, byTeam],
  ])('whose header has %s', async (_what, header, signature) => {
    await expect(verify(await forge(header, {}, signature))).rejects.toEqual(rejected(''));
  });

  test.each<[string, object]>([
    ['no time', { iat: undefined }],
    ['no end', { exp: undefined }],
    ['a time in text', { iat: '2026-11-22' }],
    ['an endless validity', { exp: 1e300 }],
    ['half a second', { iat: 0.5 }],
    ['a time before 1970', { iat: -1 }],
    ['no text', { integrity: undefined }],
    ['another claim', { nbf: 0 }],
  ])('with %s', async (_what, claims) => {
    await expect(verify(await forge({}, claims))).rejects.toEqual(rejected(/^its signature is not valid: /));
  });

  test('if its parts are no JSON objects', async () => {
    for (const part of ['[]', 'null', '"x"', '{', '\ufeff{}']) {
      const [head = '', body = ''] = token.split('.');
      for (const input of [`${base64url.encode(part)}.${body}`, `${head}.${base64url.encode(part)}`]) {
        const content = `${input}.${base64url.encode(await team.sign(input))}\n${text}`;
        await expect(verify(content)).rejects.toEqual(rejected(/^its signature is not valid: /));
      }
    }
  });

  test('without quoting control characters of an origin', async () => {
    const content = await forge({}, { sub: '\u001b[2Jmf\n-legal' });
    await expect(verify(content)).rejects.toEqual(rejected(/^its signature is for {1,2}\[2Jmf -legal$/));
  });
});

test('a signature with the order of the curve added to its second half is rejected: it would be a second valid one', async () => {
  const order = 2n ** 252n + 27742317777372353535851937790883648493n;
  const input = token.slice(0, token.lastIndexOf('.'));
  const bytes = Buffer.from(await team.sign(input));
  const scalar = BigInt(`0x${Buffer.from(bytes.subarray(32)).reverse().toString('hex')}`) + order;
  Buffer.from(scalar.toString(16).padStart(64, '0'), 'hex').reverse().copy(bytes, 32);
  await expect(verify(`${input}.${base64url.encode(bytes)}\n${text}`)).rejects.toEqual(rejected(/was changed/));
});

describe('a signed preview', () => {
  const previewToken = newPreviewToken();
  const tokenHash = hashOfToken(previewToken);
  const verifyPreview = (content: string, keys: readonly string[] | undefined = [team.publicKey], at = now) =>
    verifySigned('preview', content, remote, keys, at);
  let preview: string;
  beforeAll(async () => {
    preview = await signPreview(text, remote, tokenHash, team, now);
  });

  test('states the hash of its token, and never the token; it can be read when it is over, and where no key is trusted', async () => {
    const [, claims = ''] = preview.split('.');
    expect(preview + Buffer.from(claims, 'base64url')).not.toContain(previewToken);
    const expected = { text, tokenHash, signature: { signedAt: now, expiresAt: now + 7 * day } };
    expect(await verifyPreview(preview)).toMatchObject(expected);
    expect(await verifyPreview(preview, undefined, now + 14 * day)).toMatchObject(expected);
  });

  test('is no release, and a signed release no preview', async () => {
    const notValid = rejected(/^its signature is not valid: /);
    await expect(verify(preview)).rejects.toEqual(notValid);
    for (const keys of [[team.publicKey], undefined])
      await expect(verifySigned('preview', signed, remote, keys, now)).rejects.toEqual(notValid);
    // With only its type or only its claims changed by whoever has the key.
    for (const [header, claims] of [
      [{ typ: 'daybook-release+jwt' }, {}],
      [{}, { token: undefined }],
    ] as const)
      await expect(verify(await forgeOf(preview, byTeam, header, claims))).rejects.toEqual(rejected(''));
  });

  test.each<[string, object, object]>([
    ['the type of a release', { typ: 'daybook-release+jwt' }, {}],
    ['no token', {}, { token: undefined }],
    ['a token that is no hash', {}, { token: 'x' }],
    ['a longer validity', {}, { exp: (now + 7 * day) / second + 1 }],
    ['another remote', {}, { sub: 'mf-privacy' }],
    ['another claim', {}, { nbf: 0 }],
  ])('is rejected with %s', async (_what, header, claims) => {
    await expect(verifyPreview(await forgeOf(preview, byTeam, header, claims))).rejects.toEqual(rejected(''));
  });

  test('is rejected if another team signed it, or any character of it is changed, added or removed', async () => {
    const theirs = await signPreview(text, remote, tokenHash, newSigner(), now);
    await expect(verifyPreview(theirs)).rejects.toEqual(rejected(/not one of mf-legal's/));
    await fc.assert(
      fc.asyncProperty(edited(preview), async (changed) => {
        await expect(verifyPreview(changed)).rejects.toEqual(rejected(''));
      }),
      { numRuns: 300 },
    );
  });
});
