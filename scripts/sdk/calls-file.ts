import { describeOperation, type Operation } from '#src/contract/operation.ts';
import { comment } from './format.ts';
import { requestOf } from './schema.ts';
import { requestTypeOf, responseTypeOf } from './types-file.ts';

/** The operations as a tree of path segments. A leaf is an operation. */
type PathTree = Map<string, PathTree | Operation>;

/** Returns `sdk/src/generated/calls.ts`: a method per operation, grouped like the paths. */
export function callsFile(operations: readonly Operation[]): string {
  const tree: PathTree = new Map();
  const paths = new Set(operations.map(({ path }) => path));
  for (const operation of operations) insertPath(tree, wordsOf(operation.path, paths), operation);
  const types = new Set(
    operations.flatMap((operation) => [requestTypeOf(operation), ...(responseTypeOf(operation).match(/\w+/g) ?? [])]),
  );
  types.delete('readonly');
  const groups = [...tree].map(([word, branch]) => `readonly ${word} = ${printNode(branch)};`);
  return `import type { OperationResult } from '../operation.ts';
import type { ${['Responses', 'OperationPath', 'Requests', ...types].sort().join(', ')} } from './types.ts';

/** Every operation as a method that returns its data, grouped like the paths. */
export abstract class Calls {
  abstract call<Path extends OperationPath>(path: Path, request: Requests[Path]): Promise<OperationResult<Responses[Path]>>;

  async #ask<Path extends OperationPath>(path: Path, request: Requests[Path]): Promise<Responses[Path]> {
    return (await this.call(path, request)).data;
  }

  ${groups.join('\n\n')}
}
`;
}

/**
 * Returns the words of a path. A word that follows an operation joins its name, because a method cannot be a group:
 * `sessionList` for `/operator/session/list`.
 */
function wordsOf(path: string, paths: ReadonlySet<string>): string[] {
  const words: string[] = [];
  let prefix = '';
  for (const word of path.slice(1).split('/')) {
    if (paths.has(prefix)) words.push(`${words.pop()}${word.slice(0, 1).toUpperCase()}${word.slice(1)}`);
    else words.push(word);
    prefix += `/${word}`;
  }
  return words;
}

function insertPath(tree: PathTree, [word, ...rest]: readonly string[], operation: Operation): void {
  if (word === undefined) return;
  if (rest.length === 0) {
    tree.set(word, operation);
    return;
  }
  const next = (tree.get(word) ?? new Map()) as PathTree;
  tree.set(word, next);
  insertPath(next, rest, operation);
}

function printNode(node: PathTree | Operation): string {
  if (!(node instanceof Map)) return printMethod(node);
  const members = [...node].map(([word, member]) => {
    const doc = member instanceof Map ? '' : comment(`${member.summary}. ${describeOperation(member)}`);
    return `${doc}${word}: ${printNode(member)}`;
  });
  return `{\n${members.join(',\n')},\n}`;
}

function printMethod(operation: Operation): string {
  const { properties = {}, required = [] } = requestOf(operation);
  const type = requestTypeOf(operation);
  const parameter = required.length > 0 ? `request: ${type}` : `request: ${type} = {}`;
  const hasNoFields = Object.keys(properties).length === 0;
  return `(${hasNoFields ? '' : parameter}): Promise<${responseTypeOf(operation)}> => this.#ask('${operation.path}', ${hasNoFields ? '{}' : 'request'})`;
}
