import { describe, expect, it } from '@jest/globals';
import { archiveTree, fileCount, visibleRows } from './archive-tree';

describe('tree of an archive', () => {
  const entries = ['README.txt', 'points/', 'points/frame.csv', 'pictures/a/1.png', 'points/hinge.csv'];

  it('puts folders before files, and makes folders that are no entries', () => {
    expect(archiveTree(entries)).toEqual([
      {
        name: 'points',
        path: 'points/',
        children: [
          { name: 'frame.csv', path: 'points/frame.csv' },
          { name: 'hinge.csv', path: 'points/hinge.csv' },
        ],
      },
      {
        name: 'pictures',
        path: 'pictures/',
        children: [{ name: 'a', path: 'pictures/a/', children: [{ name: '1.png', path: 'pictures/a/1.png' }] }],
      },
      { name: 'README.txt', path: 'README.txt' },
    ]);
  });

  it('counts files only', () => {
    expect(fileCount(entries)).toBe(4);
  });

  it('shows the entries of open folders', () => {
    const rows = visibleRows(archiveTree(entries), new Set(['points/']));
    expect(rows.map(({ node, level, isOpen }) => `${level} ${node.name}${isOpen ? ' open' : ''}`)).toEqual([
      '1 points open',
      '2 frame.csv',
      '2 hinge.csv',
      '1 pictures',
      '1 README.txt',
    ]);
  });
});
