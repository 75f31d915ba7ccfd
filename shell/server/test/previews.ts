import type { Release } from '@daybook/contract/release';
import { hashOfToken, newPreviewToken, signPreview } from '@daybook/releases';
import { newSigner } from '../../../packages/releases/src/test/signers.ts';
import { describeFile, type TemporarySite } from '../../../packages/releases/src/test/temporary-site.ts';

const signer = newSigner();

/** In ms: two previews of the same second can't replace each other. */
let signedAt = Date.now() - 3_600_000;

/** Publishes a preview beside the release of a remote; each of its files has this content. Returns the link's token. */
export async function publishPreview(site: TemporarySite, release: Release, content = 'content'): Promise<string> {
  const token = newPreviewToken();
  signedAt += 1_000;
  const names = Object.keys(release.files);
  for (const name of names) site.write(`${release.name}/${name}`, content);
  const files = Object.fromEntries(names.map((name) => [name, describeFile(Buffer.from(content))]));
  const text = JSON.stringify({ ...release, files });
  const signed = await signPreview(text, release.name, hashOfToken(token), signer, signedAt);
  site.write(`${release.name}/preview.jws`, signed);
  return token;
}
