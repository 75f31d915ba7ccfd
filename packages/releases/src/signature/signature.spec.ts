import { createHmac } from 'node:crypto';
import { newSigner, wholeRelease } from '@daybook/testing/releases';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { base64url } from 'jose';
import { signRequest, verifyRequest } from './request-signature.ts';
import type { ReleaseSigner } from './signature.ts';
import { signRelease, verifyRelease } from './signature.ts';

const remote = 'mf-legal';
const team = newSigner();
const text = JSON.stringify({ ...wholeRelease(remote, '1.0.1-00000001'), author: 'Zoë 🦊' });
const token = await signRelease(text, remote, team);

const rejected = (message: string | RegExp) =>
  expect.objectContaining({
    name: 'ReleaseRejection',
    reason: 'signature',
    message: expect.stringMatching(message),
  });
const verify = (signature: string, keys: readonly string[] = [team.publicKey], of = text) =>
  verifyRelease(of, signature, remote, keys);

/** Texts that differ from this one by an edit: up to three characters in place of up to three others. */
const edited = (of: string): fc.Arbitrary<string> =>
  fc
    .record({
      at: fc.nat(of.length - 1),
      removed: fc.nat(3),
      added: fc.string({ unit: fc.constantFrom(...'Aaz09-_.\n \u0000=é{"'), maxLength: 3 }),
    })
    .map(({ at, removed, added }) => of.slice(0, at) + added + of.slice(at + removed))
    .filter((changed) => changed !== of);

const byTeam: ReleaseSigner['sign'] = (input) => team.sign(input);

/** Returns the token with other parts, signed by `signs`. */
async function forge(header: object, claims: object = {}, signs = byTeam): Promise<string> {
  const [head = '', body = ''] = token.split('.');
  const changed = (part: string, changes: object) =>
    base64url.encode(JSON.stringify({ ...JSON.parse(String(Buffer.from(part, 'base64url'))), ...changes }));
  const input = `${changed(head, header)}.${changed(body, claims)}`;
  return `${input}.${base64url.encode(await signs(input))}`;
}

describe('a signed release', () => {
  test('is accepted with its own text, and with any key of its team', async () => {
    await verify(token);
    await verify(token, [newSigner().publicKey, team.publicKey]);
  });

  test('has a short signing input, because services that hold keys sign no more than a few kB', async () => {
    const inputs: string[] = [];
    const signer: ReleaseSigner = { ...team, sign: (input) => team.sign(inputs[inputs.push(input) - 1] ?? '') };
    await signRelease('x'.repeat(300_000), remote, signer);
    expect(inputs.map(({ length }) => length < 500)).toEqual([true]);
  });

  test('is not made if the signature does not match the public key', async () => {
    const wrong = { ...team, publicKey: newSigner().publicKey };
    await expect(signRelease(text, remote, wrong)).rejects.toEqual(rejected(/made with another key/));
    const short = { ...team, sign: () => new Uint8Array(63) };
    await expect(signRelease(text, remote, short)).rejects.toEqual(rejected(/does not have the form/));
  });
});

describe('a signature is rejected', () => {
  const noSignature = rejected(/^its signature is not valid: it does not have the form of one$/);

  test('if any character of it or of the text is changed, added or removed', async () => {
    await fc.assert(
      fc.asyncProperty(edited(token), edited(text), async (changed, changedText) => {
        await expect(verify(changed)).rejects.toEqual(rejected(''));
        await expect(verify(token, undefined, changedText)).rejects.toEqual(rejected(''));
      }),
      { numRuns: 1_000 },
    );
  });

  test('if any bit of it is flipped', async () => {
    const bytes = Buffer.from(token);
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const flipped = Buffer.from(bytes);
      flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      await expect(verify(flipped.toString('latin1'))).rejects.toEqual(rejected(''));
    }
  });

  test('if it is anything else', async () => {
    const parts = fc.array(fc.oneof(fc.string(), fc.base64String(), fc.constantFrom(...token.split('.'))));
    await fc.assert(
      fc.asyncProperty(parts, fc.string(), async (each, rest) => {
        await expect(verify(`${each.join('.')}${rest}`)).rejects.toEqual(rejected(''));
      }),
    );
  });

  test.each([
    ['nothing', ''],
    ['a text', text],
    ['a text after it', `${token}\n${text}`],
    ['two tokens', `${token}.${token}`],
    ['doubled dots', token.replaceAll('.', '..')],
    ['a missing signature', token.slice(0, token.lastIndexOf('.') + 1)],
    ['a line end', `${token}\n`],
  ])('with %s', async (_what, content) => {
    await expect(verify(content)).rejects.toEqual(noSignature);
  });

  test.each<[string, (length: number) => string]>([
    ['without a line end', (length) => 'a'.repeat(length)],
    ['in its header', (length) => `${'a'.repeat(length)}.${token}`],
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
    await expect(verify(await signRelease(text, remote, other))).rejects.toEqual(
      rejected(`it is made with ${other.publicKey}, which is not among the keys of the remote's team`),
    );
    await expect(verify(await forge({}, {}, (input) => other.sign(input)))).rejects.toEqual(
      rejected(/made with another key than it states$/),
    );
    await expect(verify(token, [])).rejects.toEqual(rejected(/not among the keys/));
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
    ['no remote', { sub: undefined }],
    ['a number as the remote', { sub: 1 }],
    ['no text', { integrity: undefined }],
    ['another claim', { nbf: 0 }],
  ])('with %s', async (_what, claims) => {
    await expect(verify(await forge({}, claims))).rejects.toEqual(rejected(/^its signature is not valid: /));
  });

  test('if it is that of a request, and a request with the signature of a release', async () => {
    const site = 'https://daybook.example';
    const asked = { site, method: 'POST', path: '/', body: text };
    const request = await signRequest(asked, remote, team);
    await expect(verify(request)).rejects.toEqual(rejected(/^its signature is not valid: /));
    const keys = { remotes: () => [remote], keysOf: () => [team.publicKey] };
    await expect(verifyRequest(token, remote, site, keys)).rejects.toMatchObject({ statusCode: 401 });
    (await verifyRequest(request, remote, site, keys)).check(asked);
  });

  test('if its parts are no JSON objects', async () => {
    for (const part of ['[]', 'null', '"x"', '{', '\ufeff{}']) {
      const [head = '', body = ''] = token.split('.');
      for (const input of [`${base64url.encode(part)}.${body}`, `${head}.${base64url.encode(part)}`]) {
        const content = `${input}.${base64url.encode(await team.sign(input))}`;
        await expect(verify(content)).rejects.toEqual(rejected(/^its signature is not valid: /));
      }
    }
  });

  test('without quoting control characters', async () => {
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
  await expect(verify(`${input}.${base64url.encode(bytes)}`)).rejects.toEqual(rejected(/was changed/));
});
