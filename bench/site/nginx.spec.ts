import { expect, test } from '@jest/globals';
import { fixedLocations } from './nginx.ts';

test('each answer has its file, its type and its headers, whatever is in them', () => {
  const headers = { 'content-type': 'text/html; charset=utf-8', 'content-encoding': 'br', csp: `a 'b' "c" $d` };
  const configuration = fixedLocations('/tmp/x', [{ path: '/', headers, body: Buffer.of(1) }]).join('\n');
  expect(configuration).toContain(
    [
      'location = / {',
      'root /tmp/x;',
      'try_files /answer-0 =404;',
      'default_type "text/html; charset=utf-8";',
      'add_header content-encoding "br";',
      'add_header csp "a \'b\' \\"c\\" \\$d";',
      '}',
    ].join('\n'),
  );
});
