/** Escapes of characters that need none, and mean the same without (RFC 3986, 6.2.2.2): letters, digits, `-._~`. */
const needlessEscapes = /%(?:2[de]|3\d|[46][1-9a-f]|[57][\da]|5f|7e)/gi;

const isMalformed = (path: string) => /%(?![\da-f]{2})/i.test(path);

/**
 * Returns the URL of a request in the one spelling by which routes are matched and requests are judged and forwarded:
 * without scheme and host (RFC 9112, 3.2.2), fragment, and needless escapes in the path. `/%61pi/x` and
 * `http://daybook.example/api/x#y` are `/api/x`. Otherwise each check of a prefix would miss spellings that the router
 * accepts.
 *
 * Decodes once: the path means the same before and after. Escaped slashes stay, and a malformed path is unchanged, so
 * that the router rejects it. Fastify's `rewriteUrl`.
 */
export function canonicalUrl({ url = '/' }: { readonly url?: string | undefined }): string {
  const [, path = '', query = ''] = /^(?:https?:\/\/[^/?#]*)?([^?#]*)(\?[^#]*)?/i.exec(url) ?? [];
  // A single escape decoded in a malformed path could complete another: `%%361`.
  const plain = isMalformed(path)
    ? path
    : path.replace(needlessEscapes, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)));
  return (plain || '/') + query;
}
