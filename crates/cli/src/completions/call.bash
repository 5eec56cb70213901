
# Tools and their arguments, in a call.
_cicerone_call() {
    local -a words
    local current candidate
    read -ra words <<< "${COMP_LINE:0:COMP_POINT}"
    [[ "${COMP_LINE:0:COMP_POINT}" == *[[:space:]] ]] && words+=("")
    current="${words[${#words[@]}-1]}"
    if [[ " ${words[*]:1:${#words[@]}-2} " != *" call "* || "$current" == -* ]]; then
        _cicerone "$@"
        return
    fi
    COMPREPLY=()
    while IFS= read -r candidate; do
        [[ "$candidate" == *= ]] && compopt -o nospace
        # The shell takes what stands after the sign for a word of its own.
        [[ "$current" == *=* ]] && candidate="${candidate#*=}"
        COMPREPLY+=("$candidate")
    done < <("${words[0]}" complete "${words[@]:1}" 2> /dev/null)
}
complete -F _cicerone_call -o nosort -o bashdefault -o default cicerone
