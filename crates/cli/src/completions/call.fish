
# Tools and their arguments, in a call.
complete -c cicerone -n "__fish_seen_subcommand_from call" -f -a "(cicerone complete (commandline -opc)[2..] (commandline -ct) 2>/dev/null)"
