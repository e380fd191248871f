import { describe, expect, it } from 'vitest';
import { type DeclaredRoute, methodsOf } from '../../../../../server/http/kernel/access.ts';
import { refusalOf } from '../../../../../server/http/kernel/envelope.ts';
import { isAllowedOrigin, isSameSiteFetch } from '../../../../../server/http/kernel/origin.ts';
import { answerPage } from '../../../../../server/http/pages/siteFiles.ts';
import { redirectTarget } from '../../../../../server/http/tls/redirect.ts';

describe('an Origin', () => {
  const host = 'fleet.example';
  it.each([
    ['http://fleet.example', host, false, true],
    ['https://fleet.example', host, false, true], // TLS ends at a proxy
    ['https://fleet.example', host, true, true],
    ['http://fleet.example', host, true, false], // whoever owns the network can speak for plain http
    ['https://fleet.example', 'fleet.example:443', true, true],
    ['https://FLEET.example', host, true, true],
    ['https://fleet.example:8443', 'fleet.example:8443', true, true],
    ['https://fleet.example:8443', host, true, false],
    ['https://other.example', host, true, false],
    ['https://fleet.example.evil.example', host, true, false],
    ['https://evil-fleet.example', host, true, false],
    ['null', host, false, false],
    ['', host, false, false],
    ['file://', host, false, false],
    ['https://fleet.example', 'a b', true, false],
  ])('%s at host %s (TLS %s): %s', (origin, atHost, secure, allowed) => {
    expect(isAllowedOrigin({ origin, host: atHost }, secure)).toBe(allowed);
  });

  it('that is missing is no browser’s, unless the request says it comes from elsewhere', () => {
    expect(isAllowedOrigin({ host }, true)).toBe(true);
    expect(isAllowedOrigin({ host, 'sec-fetch-site': 'same-origin' }, true)).toBe(true);
    expect(isAllowedOrigin({ host, 'sec-fetch-site': 'cross-site' }, true)).toBe(false);
    expect(isAllowedOrigin({ origin: 'https://fleet.example' }, true)).toBe(false);
  });

  it.each([
    [undefined, true],
    ['same-origin', true],
    ['none', true],
    ['same-site', false],
    ['cross-site', false],
    ['whatever', false],
  ])('for a GET with an effect: Sec-Fetch-Site %s: %s', (site, allowed) => {
    expect(isSameSiteFetch(site === undefined ? {} : { 'sec-fetch-site': site })).toBe(allowed);
  });
});

describe('the file of a path', () => {
  const has = (path: string): boolean => ['shell/index.html', 'live/index.html', 'a..b.svg'].includes(path);
  const files = { has, count: 3 };
  it.each([
    ['/../x', 'no-file'],
    ['/a/../../x', 'no-file'],
    ['/a/..', 'no-file'],
    ['/..\\x', 'no-file'],
    ['/a\\..\\x', 'no-file'],
    ['/a\u0000', 'no-file'],
    ['/a\nb', 'no-file'],
    ['/playback/x', 'no-file'], // this entry is not built here
    ['/a..b.svg', 'file'],
    ['/a..b', 'file'],
    ['/live/DOMAIN\\user', 'file'],
    ['/innerpage', 'file'],
    ['/innerpage/', 'no-inner-page'],
  ])('%j is %s', (path, kind) => {
    expect(answerPage(path, files).kind).toBe(kind);
  });
});

describe('the methods of an address', () => {
  const route = (method: string, url: string): DeclaredRoute => ({ method, url, access: { kind: 'public' } });
  const routes = [route('GET', '/*'), route('PUT', '/a'), route('GET', '/a'), route('POST', '/l/:x/:y')];
  it.each([
    ['/a', ['GET', 'PUT']],
    ['/l/1/2', ['POST']],
    ['/l/1', []],
    ['/l/1/2/3', []],
    ['/b', []],
    ['/a/', []],
  ])('%s: %j', (path, methods) => {
    expect(methodsOf(path, routes)).toEqual(methods);
  });
});

describe('a refusal', () => {
  it('keeps the status of the request’s faults and hides the words of ours', () => {
    const secret = 'credential=abc';
    expect(refusalOf({ statusCode: 413, message: secret })).toMatchObject({ status: 413, code: 'bad-request' });
    expect(refusalOf({ message: secret })).toMatchObject({ status: 500, code: 'internal' });
    expect(refusalOf({ statusCode: 302, message: secret })).toMatchObject({ status: 500 });
    expect(refusalOf({ statusCode: 413, message: secret }).message).not.toContain(secret);
    expect(refusalOf({ message: secret }).message).not.toContain(secret);
    const validation = refusalOf({ statusCode: 400, message: 'body must be object', validation: [] });
    expect(validation.message).toBe('body must be object');
  });
});

describe('the redirect to TLS', () => {
  it.each([
    ['fleet.example', '/live/x?a=b', 443, 'https://fleet.example/live/x?a=b'],
    ['fleet.example:8080', '/', 8443, 'https://fleet.example:8443/'],
    ['[::1]:80', '/', 443, 'https://[::1]/'],
    [undefined, '/', 443, undefined],
    ['a b', '/', 443, undefined],
    ['fleet.example\r\nset-cookie: x', '/', 443, undefined],
    ['user@evil.example', '/', 443, undefined],
    ['fleet.example', '//evil.example/', 443, undefined],
    ['fleet.example', 'http://evil.example/', 443, undefined],
    ['fleet.example', '*', 443, undefined],
  ])('of host %s and address %s', (host, url, port, target) => {
    expect(redirectTarget(host, url, port)).toBe(target);
  });
});
