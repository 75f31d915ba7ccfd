import { describe, expect, test } from '@jest/globals';
import { parseWebAddress } from './web-address.ts';

describe('a web address', () => {
  test.each([
    ['https://sponsor.example', 'https://sponsor.example/', 'sponsor.example'],
    [
      'http://sponsor.example/offer?id=1&to=a@b.c#top',
      'http://sponsor.example/offer?id=1&to=a@b.c#top',
      'sponsor.example',
    ],
    ['HTTPS://Sponsor.Example:8443/x', 'https://sponsor.example:8443/x', 'sponsor.example:8443'],
    [
      'https://sponsor.example?next=//other.example',
      'https://sponsor.example/?next=//other.example',
      'sponsor.example',
    ],
    ['https://münchen.example/', 'https://xn--mnchen-3ya.example/', 'xn--mnchen-3ya.example'],
    ['https://xn--80ak6aa92e.example/', 'https://xn--80ak6aa92e.example/', 'xn--80ak6aa92e.example'],
    ['https://[::1]:8080/', 'https://[::1]:8080/', '[::1]:8080'],
    ['https://sponsor.example/a+b?q=c+d', 'https://sponsor.example/a+b?q=c+d', 'sponsor.example'],
    ['https://sponsor.example/a b?q=c d#e f', 'https://sponsor.example/a%20b?q=c%20d#e%20f', 'sponsor.example'],
  ])('%p leads to %p and is shown as %p', (text, href, host) => {
    expect(parseWebAddress(text)).toEqual({ href, host });
  });

  test.each([
    null,
    undefined,
    7,
    '',
    ' ',
    'sponsor.example',
    'www.sponsor.example/offer',
    '/thank-you',
    '?url=x',
    '//sponsor.example',
    '\\\\sponsor.example',
    '/\\sponsor.example',
    'https:\\\\sponsor.example',
    'https://sponsor.example\\@evil.example',
    'https:sponsor.example',
    'https:/sponsor.example',
    'https://',
    'https:///sponsor.example',
    'https://?x',
    'javascript:alert(1)',
    'JavaScript://sponsor.example/%0aalert(1)',
    'java\nscript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'blob:https://sponsor.example/1',
    'file:///etc/passwd',
    'ftp://sponsor.example',
    'mailto:reader@example.com',
    'view-source:https://sponsor.example',
    'https://bank.example@evil.example/',
    'https://user:secret@sponsor.example/',
    'https://@sponsor.example/',
    ' https://sponsor.example',
    'https://sponsor.example ',
    'https://spon sor.example',
    'https://sponsor.example /offer',
    'https://sponsor.example:443 /offer',
    'https:// sponsor.example/offer',
    'https://sponsor.example/a\u00a0b',
    '+https://sponsor.example',
    'https://spon\tsor.example',
    'ht\ntps://sponsor.example',
    'https://sponsor.example/\u0000',
    'https://sponsor.example/\u202egpj.exe',
    'https://spon\u200bsor.example',
    'https://sponsor.example:99999/',
    'https://[::1/',
    'https://%/',
    `https://sponsor.example/${'a'.repeat(2048)}`,
  ])('%p is none', (text) => {
    expect(parseWebAddress(text)).toBeUndefined();
  });
});
