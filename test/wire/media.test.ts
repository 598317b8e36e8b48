// Which of the four media types is spoken (D24).
import { describe, expect, it } from 'vitest';
import { answerSyntax, bodyMedia, contentTypeOf, MEDIA_TYPES, negotiate } from '../../src/wire/media.ts';
import { refusal } from './refusal.ts';

describe('an answer', () => {
  it.each([
    [undefined, 'application/json'],
    ['', 'application/json'],
    ['*/*', 'application/json'],
    ['application/json', 'application/json'],
    ['text/json', 'text/json'],
    ['application/xml', 'application/xml'],
    ['TEXT/XML', 'text/xml'],
    ['text/*', 'text/json'],
    ['application/*', 'application/json'],
    ['text/xml, application/json', 'application/json'],
    ['text/xml;q=0.9, application/json;q=0.8', 'text/xml'],
    ['application/json;q=0, */*', 'text/json'],
    ['*/*;q=0.1, text/xml;q=0.2', 'text/xml'],
    ['text/html, application/xhtml+xml, application/xml;q=0.9, */*;q=0.8', 'application/xml'],
    ['application/json; charset=utf-8', 'application/json'],
    ['text/xml; note="a, b; c=\\"d\\""', 'text/xml'],
    ['text/xml;q=1.000, text/json;q=0.999', 'text/xml'],
    ['nonsense, text/xml', 'text/xml'],
  ])('for %s is %s', (accept, media) => {
    expect(negotiate(accept)).toBe(media);
  });

  it.each([
    'text/html',
    'application/json;q=0',
    'nonsense',
    'application/json;q=2',
    'application/json;q=x',
    'application/json;charset=utf-16',
    '*/*;q=0.0',
    'application/xml;q=0, text/html',
    ',',
  ])('for %s there is none', (accept) => {
    expect(refusal(() => negotiate(accept)).code).toBe('not_acceptable');
  });

  it.each(MEDIA_TYPES)('in %s says its charset', (media) => {
    expect(contentTypeOf(media)).toBe(`${media}; charset=utf-8`);
    expect(bodyMedia(contentTypeOf(media))).toBe(media);
  });

  it.each([
    ['application/problem+json; charset=utf-8', 'json'],
    ['application/problem+xml', 'xml'],
    ['text/json', 'json'],
    ['text/html', undefined],
    ['application/xhtml+html', undefined],
    ['application/jsonp', undefined],
    [undefined, undefined],
  ])('of another server in %s is read as %s', (type, syntax) => {
    expect(answerSyntax(type)).toBe(syntax);
  });
});

describe('a body', () => {
  it.each([
    ['application/json', 'application/json'],
    ['Text/XML;Charset="UTF-8"', 'text/xml'],
    ['application/xml ; charset=utf8', 'application/xml'],
  ])('of %s is read as %s', (type, media) => {
    expect(bodyMedia(type)).toBe(media);
  });

  it.each([
    undefined,
    '',
    'application/x-www-form-urlencoded',
    'application/*',
    'application/json; charset=utf-16',
    'application/json; charset=utf-8; charset=utf-16',
    'application/json, text/xml',
    'application/json; charset',
  ])('of %s is not read', (type) => {
    expect(refusal(() => bodyMedia(type)).code).toBe('media_type');
  });
});
