# Prints the names of the functions with __device__ in the preprocessed text of CUDA's headers:
# those declared in files below `folder`, without what is internal to the headers.
/^# [0-9]/ {
    inside = index($3, "\"" folder "/") == 1
    next
}
inside { text = text " " $0 }
END {
    count = split(text, parts, /[;{}]/)
    for (i = 1; i <= count; i++) {
        part = parts[i]
        if (part !~ /__attribute__ *\(\(device\)\)/) continue
        gsub(/__attribute__ *\(\([a-z_ ]*(\([^)]*\))?\)\)/, " ", part)
        if (!match(part, /[A-Za-z_][A-Za-z0-9_]* *\(/)) continue
        name = substr(part, RSTART, RLENGTH - 1)
        gsub(/ /, "", name)
        if (name ~ /_impl$|_internal$|_ptsz$|^__(internal_|cuda|float_simpl_|nvvm_)/) continue
        if (name ~ /^__[a-z0-9]+Atomic|^(operator|new|delete|sizeof|throw|dim3|uint3)$/) continue
        if (name ~ /^__attribute__$|^(bool|char|float|int|long|short)$|^NV_/) continue
        if (name ~ /^(_U|__cmath_power|__pow_helper)$/) continue
        if (name ~ /^cuda(CG|GetParameterBuffer|LaunchDevice)/) continue
        print name
    }
}
