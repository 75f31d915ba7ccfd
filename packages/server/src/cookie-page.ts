import { hash } from 'node:crypto';

/** Path that deletes all cookies of the site, for requests whose headers are too large, and no others. */
export const deleteCookiesPath = '/_cookies';

/**
 * Deletes cookies when the visitor presses the page's button: the largest first, and only until the rest is small. It sees
 * only those that scripts may read, so neither signups nor sessions. If that deletes nothing, the form asks the server, which
 * deletes all. The edge (deploy/nginx/edge.conf) has the same script.
 */
export const cookieScript = `addEventListener("submit", (event) => {
  const before = document.cookie.length;
  const hosts = [""].concat(location.hostname.split(".").map((_, at, all) => "; domain=" + all.slice(at).join(".")));
  const paths = ["/"];
  let path = "";
  for (const part of location.pathname.split("/").slice(1, 9)) {
    path += "/" + part;
    paths.push(path, path + "/");
  }
  for (const cookie of document.cookie.split("; ").sort((one, other) => other.length - one.length)) {
    if (document.cookie.length < 4000) break;
    const name = cookie.includes("=") ? cookie.split("=", 1)[0] : "";
    for (const host of hosts)
      for (const path of paths)
        for (const kind of ["", "; secure", "; secure; partitioned"])
          document.cookie = name + "=x; max-age=0; path=" + path + host + kind;
  }
  if (document.cookie.length === before) return;
  event.preventDefault();
  location.reload();
});`;

/** Policy of the page: its own script and style, and the form. */
const policy = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  `script-src 'sha256-${hash('sha256', cookieScript, 'base64')}'`,
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Your browser sends too much – Daybook</title>
<style>
:root { color-scheme: light dark; font: 1.125rem/1.5 system-ui, sans-serif; color: light-dark(#12211b, #e9f0ea); background: light-dark(#f3f7f1, #0e1512) }
body { margin: 15vh auto; padding: 0 1.25rem; max-width: 32rem }
p:first-child { font-weight: 700; color: light-dark(#0a6546, #63cb9f) }
h1 { margin: 1rem 0; font-size: 2rem; line-height: 1.2 }
button { padding: 0.75rem 1.25rem; border: 0; border-radius: 0.5rem; font: inherit; font-weight: 700; color: light-dark(#fff, #0e1512); background: light-dark(#0a6546, #63cb9f) }
</style>
</head>
<body>
<main>
<p>Daybook</p>
<h1>Your browser sends too much</h1>
<p>Websites stored too many cookies in it. If this page returns after a press, please delete the cookies of this site in the settings of your browser.</p>
<form method="post" action="${deleteCookiesPath}"><button>Delete cookies and continue</button></form>
</main>
<script>${cookieScript}</script>
</body>
</html>
`;

/**
 * Returns the response to a browser whose headers are too large: a page with which the visitor deletes cookies.
 *
 * @param received the request as far as it is known
 */
export function cookiePage(received: string): {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
} {
  // The whole URL: a long one of another site could make any request too large.
  const deletes = received.startsWith(`POST ${deleteCookiesPath} HTTP/1.`);
  return {
    body: page,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': policy,
      // Only over https, and for all sites of the domain. `Refresh` opens the home page.
      ...(deletes && { 'Clear-Site-Data': '"cookies"', Refresh: '0; url=/' }),
    },
  };
}
