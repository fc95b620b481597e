import { describe, type Operation } from '#src/contract/operation.ts';
import { comment } from './format.ts';
import { requestOf } from './schema.ts';
import { answerTypeOf, requestTypeOf } from './types-file.ts';

/** What stands at a word of the paths: more words, or an operation. */
type Branch = Map<string, Branch | Operation>;

/** `sdk/src/generated/calls.ts`: a method per operation, grouped as the paths are. */
export function callsFile(operations: readonly Operation[]): string {
  const tree: Branch = new Map();
  for (const operation of operations) plant(tree, operation.path.slice(1).split('/'), operation);
  const types = new Set(
    operations.flatMap((operation) => [requestTypeOf(operation), ...(answerTypeOf(operation).match(/\w+/g) ?? [])]),
  );
  types.delete('readonly');
  const groups = [...tree].map(([word, branch]) => `readonly ${word} = ${print(branch)};`);
  return `import type { Called } from '../operation.ts';
import type { ${['Answers', 'OperationPath', 'Requests', ...types].sort().join(', ')} } from './types.ts';

/** Every operation as a method that answers its data, grouped as the paths are. */
export abstract class Calls {
  abstract call<Path extends OperationPath>(path: Path, request: Requests[Path]): Promise<Called<Answers[Path]>>;

  async #ask<Path extends OperationPath>(path: Path, request: Requests[Path]): Promise<Answers[Path]> {
    return (await this.call(path, request)).data;
  }

  ${groups.join('\n\n')}
}
`;
}

function plant(branch: Branch, [word, ...rest]: readonly string[], operation: Operation): void {
  if (word === undefined) return;
  if (rest.length === 0) {
    branch.set(word, operation);
    return;
  }
  const next = (branch.get(word) ?? new Map()) as Branch;
  branch.set(word, next);
  plant(next, rest, operation);
}

function print(node: Branch | Operation): string {
  if (!(node instanceof Map)) return printMethod(node);
  const members = [...node].map(([word, member]) => {
    const doc = member instanceof Map ? '' : comment(`${member.summary}. ${describe(member)}`);
    return `${doc}${word}: ${print(member)}`;
  });
  return `{\n${members.join(',\n')},\n}`;
}

function printMethod(operation: Operation): string {
  const { properties = {}, required = [] } = requestOf(operation);
  const type = requestTypeOf(operation);
  const parameter = required.length > 0 ? `request: ${type}` : `request: ${type} = {}`;
  const nothing = Object.keys(properties).length === 0;
  return `(${nothing ? '' : parameter}): Promise<${answerTypeOf(operation)}> => this.#ask('${operation.path}', ${nothing ? '{}' : 'request'})`;
}
