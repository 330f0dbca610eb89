/** Names of a factory as German drawings and plans write them: 20 to 60 letters on each of four levels. */

export const PLANT = 'Werk Süd für Karosserie- und Strukturbauteile';

/** Production lines, each with its assemblies. */
export const LINES: readonly (readonly [line: string, ...assemblies: string[]])[] = [
  [
    'Linie 1 Strukturbauteile aus Aluminiumdruckguss',
    'Federbeinaufnahmen der Vorderachse mit Verstärkungen',
    'Längsträgerknoten mit angegossenen Befestigungslaschen',
    'Hinterachsträger einschließlich Lagerbuchsenaufnahmen',
    'Getriebequerträger und Schwingungstilgeraufnahmen',
    'Instrumententafelträger mit Lenksäulenbefestigung',
  ],
  [
    'Linie 2 Längsträger und Schwellerverstärkungen',
    'Schwellerverstärkungen aus höchstfestem Stahl',
    'Längsträger vorn mit Abschleppösenaufnahme',
    'Längsträger hinten mit Anhängekupplungsaufnahme',
    'Querträger unter den Vordersitzen, warmumgeformt',
    'Dachrahmen und Dachspriegel mit Antennenaufnahme',
  ],
  [
    'Linie 3 Türaußenbleche und Scharnierverstärkungen',
    'Türaußenbleche mit Griffmuldenausprägung',
    'Scharnierverstärkungen der vorderen Seitentüren',
    'Türinnenbleche mit Fensterführungsschienen',
    'Seitenaufprallträger, induktiv gehärtet',
    'Schließkeilverstärkungen an der B-Säule',
  ],
];

const POSITIONS = ['vorn links', 'vorn rechts', 'hinten links', 'hinten rechts'] as const;
const DESIGNS = ['Limousine', 'Kombi', 'Limousine RL', 'Coupé', 'Kombi Allrad'] as const;

/** Parts of an assembly: each position of each design. */
export const PARTS_PER_ASSEMBLY = POSITIONS.length * DESIGNS.length;

/** Name of a part; the number makes it known beyond its assembly. */
export function partName(assembly: string, index: number, number: number): string {
  const [first = ''] = assembly.split(' ');
  const position = POSITIONS[index % POSITIONS.length]!;
  const design = DESIGNS[Math.floor(index / POSITIONS.length)]!;
  return `${first} ${position} ${String(number).padStart(3, '0')}, ${design}`;
}
