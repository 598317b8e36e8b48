// The scripts by which shells ask pm for completions, and where each shell looks for them.
import { basename, join } from 'node:path';

export const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const;
export type ShellName = (typeof SHELLS)[number];

/** The first line of each script tells a file of ours. */
export const MARK = 'Completion of pm';

const BASH = `# ${MARK} for bash.
_pm() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    if [[ $line == :files ]]; then
      compopt -o filenames 2>/dev/null
      while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "\${COMP_WORDS[COMP_CWORD]}")
      return
    fi
    COMPREPLY+=("$line")
  done < <(command pm __complete bash "\${COMP_LINE:0:COMP_POINT}" "$COMP_WORDBREAKS" 2>/dev/null)
}
complete -F _pm pm
`;

const ZSH = `#compdef pm
# ${MARK} for zsh.
_pm() {
  local -a lines items
  local line
  lines=("\${(@f)$(command pm __complete zsh "\${(@Q)words[2,CURRENT-1]}" "=\${(Q)PREFIX}" 2>/dev/null)}")
  if [[ $lines[1] == :files ]]; then
    _files
    return
  fi
  for line in $lines; do
    items+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done
  (( $#items )) && _describe -t pm pm items -M 'm:{[:lower:][:upper:]}={[:upper:][:lower:]}'
}
if [[ $funcstack[1] == _pm ]]; then
  _pm "$@"
else
  compdef _pm pm
fi
`;

const FISH = `# ${MARK} for fish.
function __pm_complete
    set -l words (commandline -opc)
    set -e words[1]
    set -l current (commandline -ct | string collect --allow-empty)
    set -l lines (command pm __complete fish $words "=$current" 2>/dev/null)
    if test "$lines[1]" = :files
        __fish_complete_path (commandline -ct)
        return
    end
    printf '%s\\n' $lines
end
complete -c pm -f -a '(__pm_complete)'
`;

const POWERSHELL = `# ${MARK} for PowerShell.
Register-ArgumentCompleter -Native -CommandName pm -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $words = @($commandAst.CommandElements | Select-Object -Skip 1 |
        Where-Object { $_.Extent.EndOffset -lt $cursorPosition } |
        ForEach-Object { if ($_.PSObject.Properties['Value']) { $_.Value } else { $_.Extent.Text } })
    $current = $wordToComplete.Trim([char[]]@([char]34, [char]39))
    & pm __complete powershell @words "=$current" 2>$null | ForEach-Object {
        $value, $doc = $_ -split [char]9, 2
        if ($value -eq ':files') { return }
        $quoted = [System.Management.Automation.Language.CodeGeneration]::EscapeSingleQuotedStringContent($value)
        $text = if ($value -match '[^\\w@%+=:,./-]') { "'" + $quoted + "'" } else { $value }
        if (-not $doc) { $doc = $value }
        [System.Management.Automation.CompletionResult]::new($text, $value, 'ParameterValue', $doc)
    }
}
`;

export const SCRIPTS: Readonly<Record<ShellName, string>> = {
  bash: BASH,
  zsh: ZSH,
  fish: FISH,
  powershell: POWERSHELL,
};

/** The file for the script of a shell, and the line for the shell's own file where it does not look there by itself. */
interface ScriptFile {
  readonly file: string;
  readonly advice?: string;
}

/** The place for the script. `home` is the user's folder. */
export function scriptFileOf(shell: ShellName, env: NodeJS.ProcessEnv, home: string): ScriptFile {
  const data = env.XDG_DATA_HOME || join(home, '.local', 'share');
  const config = env.XDG_CONFIG_HOME || join(home, '.config');
  if (shell === 'fish') return { file: join(config, 'fish', 'completions', 'pm.fish') };
  if (shell === 'bash') {
    const file = join(data, 'bash-completion', 'completions', 'pm');
    return { file, advice: `Without the package bash-completion, add to ~/.bashrc: source '${file}'` };
  }
  if (shell === 'zsh') {
    const folder = join(data, 'zsh', 'site-functions');
    return {
      file: join(folder, '_pm'),
      advice: `Where zsh does not look there, add to ~/.zshrc before compinit: fpath=('${folder}' $fpath)`,
    };
  }
  const file = join(config, 'powershell', 'pm-completion.ps1');
  return { file, advice: `Add to the file that $PROFILE names: . '${file}'` };
}

/** The shell of the user, as its variables tell. */
export function shellNamed(env: NodeJS.ProcessEnv, platform: string): ShellName | undefined {
  const name = basename(env.SHELL ?? '');
  return SHELLS.find((one) => one === name) ?? (platform === 'win32' ? 'powershell' : undefined);
}
