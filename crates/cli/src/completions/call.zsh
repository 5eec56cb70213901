
# Tools and their arguments, in a call.
_cicerone_call() {
    if (( ${words[(I)call]} && ${words[(I)call]} < CURRENT )) && [[ "${words[CURRENT]}" != -* ]]; then
        local -a found
        found=(${(f)"$(cicerone complete "${(@)words[2,CURRENT]}" 2>/dev/null)"})
        compadd -Q -S '' -- $found
    else
        _cicerone "$@"
    fi
}
compdef _cicerone_call cicerone
