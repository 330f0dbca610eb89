import { describe, expect, it } from '@jest/globals';
import { addressOf, programOf, textOf, type ProgramRequest } from './program-request';

const request: ProgramRequest = {
  title: 'figures',
  path: '/analysisServiceRest/characteristics/1/summary',
  query: { rules: ['nelson1', 'nelson2'], exclude: ['a', 'b'], searchCondition: "850In['O''Neill']", from: undefined },
};
const options = { server: 'http://127.0.0.1:8080', signIn: 'token' as const };

describe('programs of a request', () => {
  it('write lists as the server reads them', () => {
    expect(new URLSearchParams(addressOf(request).split('?')[1]).get('exclude')).toBe('{a,b}');
    expect(new URLSearchParams(addressOf(request).split('?')[1]).get('rules')).toBe('nelson1,nelson2');
  });
  it('leave out what was not chosen', () => {
    expect(addressOf(request)).not.toContain('from');
  });
  it('end single quotes in a shell', () => {
    expect(textOf(programOf('curl', request, options))).toContain(String.raw`In['\''O'\'''\''Neill'\'']`);
  });
  it.each(['curl', 'python', 'javascript', 'csharp'] as const)('name path and parameters in %s', (language) => {
    const program = textOf(programOf(language, request, options));
    expect(program).toContain('/analysisServiceRest/characteristics/1/summary');
    expect(program).toContain('nelson1,nelson2');
  });
  it('need no token where the server asks for none', () => {
    expect(textOf(programOf('python', request, { ...options, signIn: 'none' }))).not.toContain('TOKEN');
  });
  it.each(['curl', 'python', 'javascript', 'csharp'] as const)('sign in with name and password in %s', (language) => {
    const program = textOf(programOf(language, request, { ...options, signIn: 'basic' }));
    expect(program).toContain('PASSWORD');
    expect(program).not.toContain('TOKEN');
  });
  it('have no empty list of parameters', () => {
    expect(textOf(programOf('csharp', { title: '', path: '/x' }, options))).not.toContain('query');
  });
});
