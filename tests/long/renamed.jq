# Gives a result of schema 1 today's names ($tsv: renamed.tsv), and removes from any result what is
# not compared: hashes, schema, host, the order of a mechanism's structures.
def table($scope): reduce ($tsv | split("\n")[] | split("\t") | select(.[0] == $scope)) as $r
    ({}; .[$r[1]] = $r[2]);
def rekey($names): if type == "object" then with_entries(.key |= ($names[.] // .)) else . end;
def parameters: reduce (table("parameter") | to_entries[]) as $p (.;
    ($p.key | split(".")) as $old | ($p.value | split(".")) as $new
    | if has($old[0]) and (.[$old[0]] | has($old[1]))
      then .[$new[0]][$new[1]] = .[$old[0]][$old[1]] | del(.[$old[0]][$old[1]]) else . end);
def structures: if .structures then .structures[].name |= (table("structure")[.] // .) else . end;
def mechanism: .name as $name | table($name) as $counters
    | .parameters |= (rekey(table($name + " parameter")) | map_values(table("value")[tostring] // .))
    | (.l1, .l2 | values) |= rekey($counters) | structures;
.result | del(.hash, .counters_hash)
| .parameters |= (reduce ($tsv | split("\n")[] | split("\t") | select(.[0] == "added")) as $r (.;
    ($r[1] | split(".")) as $at | delpaths([$at]) | if .[$at[0]] == {} then del(.[$at[0]]) else . end))
| if $old == "" then . else
    table("key") as $keys | table("mechanisms") as $below
    | walk(rekey($keys)) | .parameters |= parameters
    | if .mechanisms then .mechanisms |= (walk(rekey($below)) | .list[] |= mechanism
        | if .sectors then .sectors |= structures else . end
        | if .copy_backs then .copy_backs |= structures else . end) else . end
  end
| walk(if type == "object" and .structures then .structures |= sort_by(.name) else . end)
