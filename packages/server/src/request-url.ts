/** Escapes of characters that need none, and mean the same without (RFC 3986, 6.2.2.2): letters, digits, `-._~`. */
const needlessEscapes = /%(?:2[de]|3\d|[46][1-9a-f]|[57][\da]|5f|7e)/gi;

const isMalformed = (path: string) => /%(?![\da-f]{2})/i.test(path);

/**
 * Returns the URL of a request without scheme, host, fragment and needless escapes: `/%61pi/x` and
 * `http://daybook.example/api/x#y` are `/api/x`. Otherwise a check of a prefix would miss spellings that the router accepts.
 * Escaped slashes stay, and so does a malformed path, which the router rejects.
 */
export function canonicalUrl({ url = '/' }: { readonly url?: string | undefined }): string {
  const [, path = '', query = ''] = /^(?:https?:\/\/[^/?#]*)?([^?#]*)(\?[^#]*)?/i.exec(url) ?? [];
  // A single escape decoded in a malformed path could complete another: `%%361`.
  const plain = isMalformed(path)
    ? path
    : path.replace(needlessEscapes, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)));
  return (plain || '/') + query;
}
