import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '@daybook/runner/workspaces';
import { CommandError } from '@daybook/server/command-line';

/** Files by their path from the repository's root, with their text. */
export type FileTexts = ReadonlyMap<string, string>;

/** Writes files and their missing folders. */
export function writeFiles(files: FileTexts): void {
  for (const [file, text] of files) {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), text);
  }
}

/**
 * Returns the text of a list.
 *
 * @param remotes all names, sorted
 * @param lines current lines of the list
 */
type RenderList = (remotes: readonly string[], lines: readonly string[]) => string;

const each =
  (entry: (remote: string) => string): RenderList =>
  (remotes) =>
    remotes.map(entry).join('');

/** One line for each remote, which may be edited: a line that contains `key` stays as it is. */
const eachEditable =
  (key: (remote: string) => string, entry: (remote: string) => string): RenderList =>
  (remotes, lines) =>
    each((remote) => `${lines.find((line) => line.includes(key(remote))) ?? entry(remote)}\n`)(remotes, lines);

/** The variable with the version of a remote's image: `MF_LEGAL_VERSION`. */
const versionOf = (remote: string) => `${remote.toUpperCase().replaceAll('-', '_')}_VERSION`;

const teamOf = (remote: string) => remote.replace('mf-', '');

/**
 * The lists of remotes outside their folders, in the order of a file's regions. These formats have no loops: the folders
 * `mf-*` are the source, and `npm run check` compares.
 */
const lists: Readonly<Record<string, readonly RenderList[]>> = {
  'docker-compose.yml': [
    each((remote) => `      - secrets-${remote}:/run/secrets/${remote}\n`),
    each(
      (remote) => `  ${remote}:
    <<: *remote
    image: \${IMAGE_REGISTRY:-daybook}/${remote}:\${${versionOf(remote)}:-\${VERSION:-latest}}
    build:
      <<: *build
      dockerfile: deploy/remote/Dockerfile
      args: { <<: *build-args, REMOTE: ${remote}, VERSION: "\${${versionOf(remote)}:-\${VERSION:-latest}}" }
    volumes: ["secrets-${remote}:/run/secrets:ro"]
`,
    ),
    each((remote) => `  secrets-${remote}:\n`),
  ],
  '.env.example': [each((remote) => `#${versionOf(remote)}=latest\n`)],
  'deploy/swarm/stack.yml': [
    each(
      (remote) => `  ${remote}:
    <<: *remote
    depends_on: !reset null
    volumes: !override [*tmp]
    secrets: [{ source: ${remote}, target: release-key }]
`,
    ),
    each((remote) => `  ${remote}: { file: "\${SECRETS_FOLDER}/${remote}.pem" }\n`),
  ],
  'deploy/kubernetes/base/kustomization.yaml': [each((remote) => `  - ../../../${remote}\n`)],
  'deploy/kubernetes/example/kustomization.yaml': [
    eachEditable(
      (remote) => ` daybook/${remote},`,
      (remote) => `  - { name: daybook/${remote}, newName: registry.example.com/daybook/${remote}, newTag: *version }`,
    ),
  ],
  '.github/CODEOWNERS': [
    eachEditable(
      (remote) => `/${remote}/ `,
      (remote) => `/${remote}/ @daybook/${teamOf(remote)}`,
    ),
  ],
};

const region = /(?<=^ *# remotes: written by `npm run check -- --fix`.*\n)[\s\S]*?(?=^ *# end of remotes\n)/gm;

/**
 * Returns the files whose lists of remotes would change, with their new text.
 *
 * @param remotes names of all remotes, sorted
 * @throws CommandError if a file lacks the comments around a list
 */
export function staleLists(remotes: readonly string[]): FileTexts {
  const stale = new Map<string, string>();
  for (const [file, renders] of Object.entries(lists)) {
    const text = readFileSync(path.join(root, file), 'utf8');
    if (text.match(region)?.length !== renders.length)
      throw new CommandError(`${file} needs ${renders.length} × “# remotes: written by …” and “# end of remotes”.`);
    const waiting = renders.values();
    const next = text.replaceAll(region, (lines) => waiting.next().value?.(remotes, lines.split('\n')) ?? lines);
    if (next !== text) stale.set(file, next);
  }
  return stale;
}
