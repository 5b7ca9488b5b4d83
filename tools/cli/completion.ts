// Shell completion, from the command table.

import { UsageFault } from '../command-line.ts';
import { API_COMMANDS, LOCAL_COMMANDS, TOOLS } from './commands.ts';

/** Returns the word at this position of the command line, in the shell's syntax. */
const wordAt = (place: string) => `"$\{COMP_WORDS[${place}]}"`;

export function completionText(shell: string): string {
  const ofTools = Object.entries(TOOLS).flatMap(([tool, { commands }]) =>
    Object.keys(commands).map((command) => `${tool} ${command}`),
  );
  const names = [...Object.keys(LOCAL_COMMANDS), ...Object.keys(API_COMMANDS), ...ofTools];
  const nouns = [...new Set([...names.map((name) => name.split(' ')[0]), ...Object.keys(TOOLS)])];
  const verbs = nouns.flatMap((noun) => {
    const own = names
      .filter((name) => name.startsWith(`${noun} `))
      .map((name) => name.split(' ')[1]);
    const verbsOfNoun = [...new Set(own)].join(' ');
    return own.length === 0 ? [] : [`    ${noun}) words="${verbsOfNoun}" ;;`];
  });
  const bash = [
    '_rialto() {',
    `  local words="${nouns.join(' ')}"`,
    '  if [ "$COMP_CWORD" -ge 2 ]; then',
    '    words="--json --yes --help"',
    `    [ "$COMP_CWORD" -eq 2 ] && case ${wordAt('1')} in`,
    ...verbs,
    '    esac',
    '  fi',
    `  COMPREPLY=($(compgen -W "$words" -- ${wordAt('COMP_CWORD')}))`,
    '}',
    'complete -F _rialto rialto',
  ];
  if (shell === 'bash') return bash.join('\n');
  if (shell === 'zsh') return ['autoload -U bashcompinit && bashcompinit', ...bash].join('\n');
  throw new UsageFault(`Unknown shell '${shell}': expected bash or zsh.`);
}
