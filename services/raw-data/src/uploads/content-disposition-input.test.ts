import { describe, expect, it } from '@jest/globals';
import { readFileName } from './content-disposition-input.ts';

const latin1 = (text: string) => Buffer.from(text, 'utf8').toString('latin1');
const base64 = (text: string) => Buffer.from(text, 'utf8').toString('base64');

describe('file name of an upload', () => {
  it.each([
    ['a bare quoted name', '"protocol 1.pdf"', 'protocol 1.pdf'],
    ['a bare name', 'protocol 1.pdf', 'protocol 1.pdf'],
    ['attachment with quotes', 'attachment; filename="a;b=c.txt"', 'a;b=c.txt'],
    ['attachment with a token', 'attachment;filename=a.txt', 'a.txt'],
    ['a token with blanks, as scripts send it', 'attachment; filename=my file.txt', 'my file.txt'],
    ['other cases and blanks', 'ATTACHMENT ; FileName = "a.txt" ; size=3', 'a.txt'],
    ['form-data', 'form-data; name="file"; filename="a.txt"', 'a.txt'],
    ['masked quotes and backslashes', String.raw`attachment; filename="a\"b\\c.txt"`, String.raw`a"b\c.txt`],
    ['an unmasked backslash', String.raw`"C:\temp\a.txt"`, String.raw`C:\temp\a.txt`],
    ['an unmasked backslash at the end', String.raw`"C:\temp\"`, 'C:\\temp\\'],
    ['wildcards', '"what?*.txt"', 'what?*.txt'],
    ['the extended form before the plain one', `attachment; filename="?.txt"; filename*=UTF-8''%E2%82%AC%20rates.txt`, '€ rates.txt'],
    ['the extended form in Latin-1', `attachment; filename*=iso-8859-1'en'%A3.txt`, '£.txt'],
    ['a broken extended form next to a plain one', `attachment; filename="b.txt"; filename*=UTF-8''%E2%82`, 'b.txt'],
    ['raw UTF-8 bytes', latin1('attachment; filename="Größe 测量.txt"'), 'Größe 测量.txt'],
    ['raw Latin-1 bytes', 'attachment; filename="Gr\u00f6\u00dfe.txt"', 'Größe.txt'],
    ['an encoded word in base64', `"=?utf-8?B?${base64('Größe.txt')}?="`, 'Größe.txt'],
    ['an encoded word as filename', `attachment; filename="=?UTF-8?b?${base64('测量.txt')}?="`, '测量.txt'],
    ['an encoded word without quotes', `attachment; filename==?utf-8?B?${base64('ä.txt')}?=`, 'ä.txt'],
    ['an encoded word in quoted-printable', '=?iso-8859-1?Q?Gr=F6=DFe_1.txt?=', 'Größe 1.txt'],
    ['a quoted-printable word that holds a quotation mark', '"=?utf-8?Q?a=22b.txt?="', 'a"b.txt'],
    ['text around a word', '"x =?utf-8?Q?=C3=A4?= y.txt"', 'x ä y.txt'],
  ])('reads %s [R65, D6.2]', (_, header, name) => {
    expect(readFileName(header)).toBe(name);
  });

  it('joins neighbouring words even when a character is split between them', () => {
    const bytes = Buffer.from('测量报告.txt', 'utf8');
    const [one, two] = [bytes.subarray(0, 4), bytes.subarray(4)];
    expect(readFileName(`"=?utf-8?B?${one.toString('base64')}?= =?utf-8?B?${two.toString('base64')}?="`)).toBe('测量报告.txt');
  });

  it('keeps a word that it cannot decode', () => {
    expect(readFileName('"=?no-such-charset?B?YQ==?="')).toBe('=?no-such-charset?B?YQ==?=');
    expect(readFileName('"=?utf-8?B?/w==?="')).toBe('=?utf-8?B?/w==?=');
  });

  it.each(['', '  ', 'attachment', 'inline;', 'form-data; name="x"', `attachment; filename*=UTF-8''%zz`])(
    'finds no name in %j',
    (header) => {
      expect(readFileName(header)).toBeUndefined();
    },
  );

  it('returns an empty name, which the caller refuses', () => {
    expect(readFileName('""')).toBe('');
    expect(readFileName('attachment; filename=""')).toBe('');
  });
});
