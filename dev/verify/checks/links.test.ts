import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { repositoryRoot } from '../../../infra/repository.ts';
import { repositoryFiles } from '../../support/repositoryFiles.ts';

test.each(repositoryFiles('**/*.md'))('%s links to what exists', (page) => {
  expect(linksIn(withoutCode(read(page))).filter((link) => !isFound(page, link))).toEqual([]);
});

function read(page: string): string {
  return readFileSync(join(repositoryRoot, page), 'utf8');
}

function withoutCode(text: string): string {
  return text.replace(/^```[\s\S]*?^```/gm, '');
}

/** Targets in this repository, also of images. */
function linksIn(text: string): string[] {
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link).filter((link) => !/^[a-z]+:/.test(link));
}

function isFound(page: string, link: string): boolean {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? page : join(dirname(page), path);
  if (!existsSync(join(repositoryRoot, target))) return false;
  return anchor === undefined || anchorsOf(withoutCode(read(target))).includes(anchor);
}

/** As GitHub names headings, and explicit anchors. Headings of one page are assumed to differ. */
function anchorsOf(text: string): string[] {
  const headings = [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => heading.replace(/\]\([^)]*\)/g, ''));
  const words = headings.map((heading) => heading.toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, ''));
  const explicit = [...text.matchAll(/<a id="([^"]+)">/g)].map(([, id = '']) => id);
  return [...words.map((word) => word.replaceAll(' ', '-')), ...explicit];
}
