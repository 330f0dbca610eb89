import { describe, expect, it } from '@jest/globals';
import { zipSync } from 'three/addons/libs/fflate.module.js';
import { read3mf } from './read-3mf';

const VERTICES = '<vertices><vertex x="0" y="0" z="0"/><vertex x="1" y="0" z="0"/><vertex x="0" y="2" z="0"/></vertices>';
const MESH = `<mesh>${VERTICES}<triangles><triangle v1="0" v2="1" v3="2"/></triangles></mesh>`;

/** An archive with models, by their paths. */
function archive(models: Readonly<Record<string, string>>): Uint8Array {
  const files = Object.entries(models).map(([path, content]) => [path, new TextEncoder().encode(`<model xmlns="m">${content}</model>`)]);
  return zipSync(Object.fromEntries(files) as Record<string, Uint8Array>);
}
const model = (resources: string, items: string) =>
  archive({ '3D/3dmodel.model': `<resources>${resources}</resources><build>${items}</build>` });
const positionsOf = (bytes: Uint8Array) => [...read3mf(bytes).positions];

describe('a 3MF', () => {
  it('has the triangles of its items, and no others', () => {
    const bytes = model(`<object id="1">${MESH}</object><object id="2">${MESH}</object>`, '<item objectid="1"/>');
    expect(positionsOf(bytes)).toEqual([0, 0, 0, 1, 0, 0, 0, 2, 0]);
  });

  it('places objects and their components, which may lie in other files', () => {
    const turn = '0 1 0 -1 0 0 0 0 1';
    const bytes = archive({
      '3D/3dmodel.model': `<resources><object id="2"><components><component objectid="1" p:path="/3D/Objects/a.model"
        transform="${turn} 10 0 0"/></components></object></resources><build><item objectid="2" transform="1 0 0 0 1 0 0 0 1 0 0 5"/></build>`,
      '3D/Objects/a.model': `<resources><object id="1">${MESH}</object></resources><build/>`,
    });
    expect(positionsOf(bytes)).toEqual([10, 0, 5, 10, 1, 5, 8, 0, 5]);
  });

  it('gives triangles their colours, those of their objects, or grey', () => {
    const materials = `<basematerials id="5"><base name="a" displaycolor="#FF0000"/></basematerials>
      <m:colorgroup id="6"><m:color color="#0000FFFF"/><m:color color="#000000"/></m:colorgroup>`;
    const triangles = '<triangle v1="0" v2="1" v3="2"/><triangle v1="0" v2="1" v3="2" pid="6" p1="0" p2="1" p3="1"/>';
    const mesh = `<mesh>${VERTICES}<triangles>${triangles}</triangles></mesh>`;
    const objects = `<object id="1" pid="5" pindex="0">${mesh}</object><object id="2">${MESH}</object>`;
    const { colors } = read3mf(model(materials + objects, '<item objectid="1"/><item objectid="2"/>'));
    const [red, blue, black, grey] = [
      [1, 0, 0],
      [0, 0, 1],
      [0, 0, 0],
      [0.5, 0.5, 0.5],
    ];
    expect([...(colors ?? [])]).toEqual([red, red, red, blue, black, black, grey, grey, grey].flat());
  });

  it.each([
    ['no model', archive({ 'readme.txt': '' }), 'broken'],
    ['XML that is cut', zipSync({ '3D/a.model': new TextEncoder().encode('<model><resources><object id="1">') }), 'broken'],
    [
      'an object that contains itself',
      model('<object id="1"><components><component objectid="1"/></components></object>', '<item objectid="1"/>'),
      'broken',
    ],
    [
      'a triangle of vertices that it lacks',
      model(`<object id="1">${MESH.replace('v3="2"', 'v3="9"')}</object>`, '<item objectid="1"/>'),
      'broken',
    ],
    ['an item that it lacks', model('', '<item objectid="1"/>'), 'broken'],
  ])('with %s is refused', (_what, bytes, problem) => {
    expect(() => read3mf(bytes)).toThrow(problem);
  });

  it('of a few parts that repeat each other for ever is refused', () => {
    const twice = (id: number) => `<components>${`<component objectid="${id}"/>`.repeat(10)}</components>`;
    const objects = Array.from({ length: 20 }, (_, i) => `<object id="${i + 2}">${twice(i + 1)}</object>`).join('');
    expect(() => read3mf(model(`<object id="1">${MESH}</object>${objects}`, '<item objectid="21"/>'))).toThrow('tooLarge');
  });

  it('whose entries say that they hold too much is refused before they are read', () => {
    const bytes = model('', '');
    const view = new DataView(bytes.buffer);
    const entry = view.getUint32(bytes.length - 22 + 16, true);
    view.setUint32(entry + 24, 2_000_000_000, true);
    expect(() => read3mf(bytes)).toThrow('tooLarge');
  });
});
