import { DockerfileParser, type Instruction, ModifiableInstruction } from 'dockerfile-ast';

/** One instruction of a Dockerfile. */
export interface Step {
  readonly keyword: string;
  readonly flags: Readonly<Record<string, string>>;
  /** Arguments after the keyword and flags; in the JSON form, the items of the list. */
  readonly words: readonly string[];
  /** True for the JSON form, in which Docker starts the program without a shell. */
  readonly isList: boolean;
}

export interface StageSteps {
  readonly name: string;
  readonly base: string;
  readonly steps: readonly Step[];
}

/** Returns the stages of a Dockerfile in order. */
export function readStages(text: string): StageSteps[] {
  const stages: { name: string; base: string; steps: Step[] }[] = [];
  for (const instruction of DockerfileParser.parse(text).getInstructions()) {
    const step = toStep(instruction);
    if (step.keyword !== 'FROM') {
      stages.at(-1)?.steps.push(step);
      continue;
    }
    const [base = '', , name = ''] = step.words;
    stages.push({ name, base, steps: [] });
  }
  return stages;
}

function toStep(instruction: Instruction): Step {
  const flags = instruction instanceof ModifiableInstruction ? instruction.getFlags() : [];
  const words = instruction.getArguments().map((argument) => argument.getValue());
  const listed = /\[.*\]$/.exec(words.join(' '))?.[0];
  return {
    keyword: instruction.getKeyword(),
    flags: Object.fromEntries(flags.map((flag) => [flag.getName(), flag.getValue() ?? ''])),
    words: listed === undefined ? words : (JSON.parse(listed) as string[]),
    isList: listed !== undefined,
  };
}
