/** A folder or a file in an archive. */
export interface ArchiveNode {
  name: string;
  /** Path of the entry as the archive names it; folders end with `/`. */
  path: string;
  /** Entries of a folder, folders first; absent for a file. */
  children?: ArchiveNode[];
}

/** Makes a tree of the entries of an archive; folders that no entry names are made from the paths of their files. */
export function archiveTree(entries: readonly string[]): ArchiveNode[] {
  const root: Folder = { folders: new Map(), files: [] };
  for (const entry of entries) {
    const names = entry.split('/');
    const file = names.pop() ?? '';
    let folder = root;
    let path = '';
    for (const name of names) {
      path += `${name}/`;
      folder = folderIn(folder, name, path);
    }
    if (file !== '') folder.files.push({ name: file, path: entry });
  }
  return nodesOf(root);
}

interface Folder {
  folders: Map<string, Folder & { path: string }>;
  files: ArchiveNode[];
}

function folderIn(parent: Folder, name: string, path: string): Folder {
  const known = parent.folders.get(name);
  if (known) return known;
  const made = { path, folders: new Map(), files: [] };
  parent.folders.set(name, made);
  return made;
}

function nodesOf({ folders, files }: Folder): ArchiveNode[] {
  const inside = [...folders].map(([name, folder]) => ({ name, path: folder.path, children: nodesOf(folder) }));
  return [...inside, ...files];
}

/** Counts the files of an archive, without its folders. */
export function fileCount(entries: readonly string[]): number {
  return entries.filter((entry) => !entry.endsWith('/')).length;
}

/** A row of a tree in which some folders are open. */
export interface ArchiveRow {
  node: ArchiveNode;
  /** 1 for the entries of the archive itself. */
  level: number;
  isOpen: boolean;
}

/** Lists the rows that show while the folders with these paths are open. */
export function visibleRows(nodes: readonly ArchiveNode[], open: ReadonlySet<string>, level = 1): ArchiveRow[] {
  return nodes.flatMap((node) => {
    const isOpen = node.children !== undefined && open.has(node.path);
    return [{ node, level, isOpen }, ...(isOpen ? visibleRows(node.children ?? [], open, level + 1) : [])];
  });
}
