// Reads the axes of a study file and their points.
#ifndef HEDDLE_STUDY_STUDY_POINTS_H
#define HEDDLE_STUDY_STUDY_POINTS_H

#include "study/study_yaml.h"

// `axes`: a mapping of names to lists of points, or to {baseline, points}. A point with `for` is
// one point for each combination of its values.
bool study_read_axes(YamlFile *file, yaml_node_t *axes, Study *study);

#endif
