import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const compressible = /\.(?:js|css|svg|json|html|txt|xml)$/;
/** In bytes: a smaller response fits into one packet anyway. */
const smallest = 1024;

/** Compresses a file as `.br` and `.gz` at the maximum level; empty if that does not pay. */
export async function precompress(name: string, content: Buffer): Promise<ReadonlyMap<'.br' | '.gz', Buffer>> {
  const compressed = new Map<'.br' | '.gz', Buffer>();
  if (!compressible.test(name) || content.length < smallest) return compressed;
  const [brotli, zipped] = await Promise.all([
    promisify(brotliCompress)(content, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
      },
    }),
    promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION }),
  ]);
  return compressed.set('.br', brotli).set('.gz', zipped);
}
